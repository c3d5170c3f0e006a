import type { VirtualMachineInstancePreset } from '@smalt/vm-api';

import type { ObjectReader } from './cluster-objects.ts';

/** How long a look serves all instances that are made in a namespace. */
const KEPT_MS = 1_000;
/** For so long after a preset was written here everybody looks anew: it is stored only after it was admitted. */
const UNSETTLED_MS = 5_000;
/** Others may wait for a look as well, so that it does not end with whoever was first. */
const LOOK_TIMEOUT_MS = 10_000;

interface Look {
  /** When it began: what was written later may be missing. */
  readonly at: number;
  readonly presets: Promise<readonly VirtualMachineInstancePreset[]>;
}

export interface PresetLooksOptions {
  readonly reader: Pick<ObjectReader, 'presets'>;
  readonly clock: { now(): number };
}

/**
 * The presets of namespaces, asked for once a second and not twice for each instance that is made. A preset that was made or
 * changed through this process counts at once; what came by another replica, and a deletion, after a second at most.
 */
export class PresetLooks {
  readonly #options: PresetLooksOptions;
  readonly #looks = new Map<string, Look>();
  readonly #writtenAt = new Map<string, number>();

  constructor(options: PresetLooksOptions) {
    this.#options = options;
  }

  async find(namespace: string, signal: AbortSignal): Promise<readonly VirtualMachineInstancePreset[]> {
    this.#forgetOld();
    if (this.#writtenAt.has(namespace)) return await this.#options.reader.presets(namespace, signal);
    const { presets } = this.#looks.get(namespace) ?? this.#look(namespace);
    return await orAborted(presets, signal);
  }

  /** Takes in that a preset of that namespace is being written. */
  noteWrite(namespace: string): void {
    this.#looks.delete(namespace);
    this.#writtenAt.delete(namespace);
    this.#writtenAt.set(namespace, this.#options.clock.now());
  }

  #look(namespace: string): Look {
    const { reader, clock } = this.#options;
    const look = { at: clock.now(), presets: reader.presets(namespace, AbortSignal.timeout(LOOK_TIMEOUT_MS)) };
    this.#looks.set(namespace, look);
    // Those who wait for it hear why.
    look.presets.catch(() => {
      if (this.#looks.get(namespace) === look) this.#looks.delete(namespace);
    });
    return look;
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

async function orAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
