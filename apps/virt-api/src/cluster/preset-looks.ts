import type { VirtualMachineInstancePreset } from '@smalt/vm-api';

import type { ObjectReader } from './cluster-objects.ts';

/** How long a look serves all instances that are made in a namespace. */
const KEPT_MS = 1_000;
/** For so long after a preset was written here everybody looks anew: it is stored only after it was admitted. */
const UNSETTLED_MS = 5_000;

interface Look {
  readonly at: number;
  readonly presets: readonly VirtualMachineInstancePreset[];
}

export interface PresetLooksOptions {
  readonly reader: Pick<ObjectReader, 'presets'>;
  readonly clock: { now(): number };
}

/**
 * The presets of namespaces, asked for once a second and not twice for each instance that is made. A preset that was
 * written through this process counts at once; one that came by another replica after a second at most.
 */
export class PresetLooks {
  readonly #options: PresetLooksOptions;
  readonly #looks = new Map<string, Look>();
  readonly #writtenAt = new Map<string, number>();

  constructor(options: PresetLooksOptions) {
    this.#options = options;
  }

  async find(namespace: string, signal: AbortSignal): Promise<readonly VirtualMachineInstancePreset[]> {
    const { reader, clock } = this.#options;
    this.#forgetOld();
    const known = this.#looks.get(namespace);
    if (known !== undefined) return known.presets;
    // What is written while it is asked for may be missing in the answer.
    const at = clock.now();
    const presets = await reader.presets(namespace, signal);
    if (!this.#writtenAt.has(namespace)) {
      this.#looks.delete(namespace);
      this.#looks.set(namespace, { at, presets });
    }
    return presets;
  }

  /** Takes in that a preset of that namespace is being written. */
  noteWrite(namespace: string): void {
    this.#looks.delete(namespace);
    this.#writtenAt.delete(namespace);
    this.#writtenAt.set(namespace, this.#options.clock.now());
  }

  /** Both maps are in the order of time, so that what is old is in front. */
  #forgetOld(): void {
    const now = this.#options.clock.now();
    for (const [namespace, { at }] of this.#looks) {
      if (now - at < KEPT_MS) break;
      this.#looks.delete(namespace);
    }
    for (const [namespace, at] of this.#writtenAt) {
      if (now - at < UNSETTLED_MS) break;
      this.#writtenAt.delete(namespace);
    }
  }
}
