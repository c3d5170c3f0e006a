import { keyOf, systemClock, type Clock, type ObjectKey } from '@smalt/controller-runtime';
import { isKubeError, type ResourceClient } from '@smalt/kube';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import { placeTests } from '@smalt/vm-lifecycle';

import { planInstancePatch } from './plan-instance-patch.ts';

/** How a write went: `outdated` when somebody else was faster, so that it has to be decided anew. */
export type WriteResult =
  | { readonly kind: 'unchanged' | 'outdated' }
  | { readonly kind: 'written'; readonly instance: VirtualMachineInstance };

/** After so long the cache would have had a write, unless the store was put back to an older state. */
const LONGEST_MS = 30_000;

interface Written {
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly until: number;
}

/** Writes instances: one patch per pass, none when nothing changed, and never over what somebody else wrote. */
export class InstanceWriter {
  readonly #instances: Pick<ResourceClient<VirtualMachineInstance>, 'patch'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** By key, the instance and the version of it that the last write has made. */
  readonly #written = new Map<ObjectKey, Written>();

  constructor(
    instances: Pick<ResourceClient<VirtualMachineInstance>, 'patch'>,
    clock: Pick<Clock, 'monotonic'> = systemClock,
  ) {
    this.#instances = instances;
    this.#clock = clock;
  }

  /** Whether the cache has not had the last write yet: what it shows must not be decided on. */
  isBehind(instance: VirtualMachineInstance): boolean {
    const key = keyOf(instance);
    const written = this.#written.get(key);
    if (written === undefined) return false;
    if (written.until > this.#clock.monotonic() && !hasReached(instance, written)) return true;
    this.#written.delete(key);
    return false;
  }

  async write(
    before: VirtualMachineInstance,
    after: VirtualMachineInstance,
    signal: AbortSignal,
  ): Promise<WriteResult> {
    const operations = planInstancePatch(before, after);
    if (operations.length === 0) return { kind: 'unchanged' };
    const { uid = '', name, namespace = 'default' } = before.metadata;
    // An instance of the same name that came later is another one.
    const same = [{ op: 'test', path: '/metadata/uid', value: uid } as const, ...placeTests(before, after)];
    let instance: VirtualMachineInstance;
    try {
      instance = await this.#instances.patch(name, 'json', [...same, ...operations], { namespace, signal });
    } catch (error) {
      if (isTestFailure(error)) return { kind: 'outdated' };
      throw error;
    }
    const { resourceVersion } = instance.metadata;
    this.#written.set(keyOf(before), { uid, resourceVersion, until: this.#clock.monotonic() + LONGEST_MS });
    return { kind: 'written', instance };
  }

  /** Forgets what was written to an instance that is gone from the cache. */
  forget(key: ObjectKey): void {
    this.#written.delete(key);
  }
}

/** Of several API servers one may lag: what it shows can be older than what the write was made on. */
function hasReached({ metadata }: VirtualMachineInstance, { uid, resourceVersion }: Written): boolean {
  if ((metadata.uid ?? '') !== uid) return true;
  // Versions of one kind can be compared as numbers; where they are none, there is nothing to go by.
  if (!isNumber(metadata.resourceVersion) || !isNumber(resourceVersion)) return true;
  return BigInt(metadata.resourceVersion) >= BigInt(resourceVersion);
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && /^\d+$/v.test(text);
}

/** A patch whose tests fail is refused as invalid, without a field that would be at fault. */
function isTestFailure(error: unknown): boolean {
  if (isKubeError(error, 'conflict')) return true;
  return isKubeError(error, 'invalid') && (error.status?.details?.causes ?? []).length === 0;
}
