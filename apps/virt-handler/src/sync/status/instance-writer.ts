import { AwaitedWrites, systemClock, type Clock, type InformerLists, type ObjectKey } from '@smalt/controller-runtime';
import { isKubeError, type ResourceClient } from '@smalt/kube';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import { placeTests } from '@smalt/vm-lifecycle';

import { planInstancePatch } from './plan-instance-patch.ts';

/** How a write went: `outdated` when somebody else was faster, so that it has to be decided anew. */
export type WriteResult =
  | { readonly kind: 'unchanged' | 'outdated' }
  | { readonly kind: 'written'; readonly instance: VirtualMachineInstance };

/** What the caches of this node show of instances. */
interface ShownInstances {
  readonly lists: InformerLists;
  get(key: ObjectKey): VirtualMachineInstance | undefined;
}

/** Writes instances: one patch per pass, none when nothing changed, and never over what somebody else wrote. */
export class InstanceWriter {
  readonly #instances: Pick<ResourceClient<VirtualMachineInstance>, 'patch'>;
  readonly #written: AwaitedWrites<VirtualMachineInstance>;

  constructor(
    instances: Pick<ResourceClient<VirtualMachineInstance>, 'patch'>,
    shown: ShownInstances,
    clock: Pick<Clock, 'monotonic'> = systemClock,
  ) {
    this.#instances = instances;
    const objects = {
      cache: shown,
      get lists() {
        return shown.lists;
      },
    };
    this.#written = new AwaitedWrites(objects, clock);
  }

  /** Whether the cache has not had the last write yet: what it shows must not be decided on. */
  isBehind(key: ObjectKey): boolean {
    return this.#written.isBehind(key);
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
    return { kind: 'written', instance: this.#written.note(instance) };
  }

  /** Forgets what was written to an instance that is gone from the cache. */
  forget(key: ObjectKey): void {
    this.#written.forget(key);
  }
}

/** A patch whose tests fail is refused as invalid, without a field that would be at fault. */
function isTestFailure(error: unknown): boolean {
  if (isKubeError(error, 'conflict')) return true;
  return isKubeError(error, 'invalid') && (error.status?.details?.causes ?? []).length === 0;
}
