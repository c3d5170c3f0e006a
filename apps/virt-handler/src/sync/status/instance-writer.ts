import { keyOf, type ObjectKey } from '@smalt/controller-runtime';
import { isKubeError, type ResourceClient } from '@smalt/kube';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import { planInstancePatch } from './plan-instance-patch.ts';

/** How a write went: `outdated` when somebody else was faster, so that it has to be decided anew. */
export type WriteResult =
  | { readonly kind: 'unchanged' | 'outdated' }
  | { readonly kind: 'written'; readonly instance: VirtualMachineInstance };

/** Writes instances: one patch per pass, none when nothing changed, and never over what somebody else wrote. */
export class InstanceWriter {
  readonly #instances: Pick<ResourceClient<VirtualMachineInstance>, 'patch'>;
  /** By key, the instance and the version of it that the last write was made on. */
  readonly #basis = new Map<ObjectKey, string>();

  constructor(instances: Pick<ResourceClient<VirtualMachineInstance>, 'patch'>) {
    this.#instances = instances;
  }

  /** Whether the cache has not had the last write yet: what it shows must not be decided on. */
  isBehind(instance: VirtualMachineInstance): boolean {
    const { resourceVersion } = instance.metadata;
    return resourceVersion !== undefined && this.#basis.get(keyOf(instance)) === basisOf(instance);
  }

  async write(
    before: VirtualMachineInstance,
    after: VirtualMachineInstance,
    signal: AbortSignal,
  ): Promise<WriteResult> {
    const operations = planInstancePatch(before, after);
    if (operations.length === 0) return { kind: 'unchanged' };
    const { uid = '', name, namespace = 'default', resourceVersion } = before.metadata;
    // An instance of the same name that came later is another one.
    const same = { op: 'test', path: '/metadata/uid', value: uid } as const;
    let instance: VirtualMachineInstance;
    try {
      instance = await this.#instances.patch(name, 'json', [same, ...operations], { namespace, signal });
    } catch (error) {
      if (isTestFailure(error)) return { kind: 'outdated' };
      throw error;
    }
    if (resourceVersion !== undefined) this.#basis.set(keyOf(before), basisOf(before));
    return { kind: 'written', instance };
  }

  /** Forgets what was written to an instance that is gone from the cache. */
  forget(key: ObjectKey): void {
    this.#basis.delete(key);
  }
}

function basisOf({ metadata: { uid, resourceVersion } }: VirtualMachineInstance): string {
  return `${uid}@${resourceVersion}`;
}

/** A patch whose tests fail is refused as invalid, without a field that would be at fault. */
function isTestFailure(error: unknown): boolean {
  if (isKubeError(error, 'conflict')) return true;
  return isKubeError(error, 'invalid') && (error.status?.details?.causes ?? []).length === 0;
}
