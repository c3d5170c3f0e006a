import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';

import { unlessGone } from '../to-compute-error.ts';
import type { VmApiAccess } from '../vm-api-access.ts';
import type { InstanceIds } from './instance-ids.ts';
import { idOfMachine, instanceIdOf, type InstanceKey } from './instance-key.ts';

/** An instance and its machine, one of which may be missing. */
export interface FoundInstance {
  readonly key: InstanceKey;
  readonly vmi: VirtualMachineInstance | undefined;
  readonly machine: VirtualMachine | undefined;
}

/** Reads an instance by its id as it is now; undefined when there is neither instance nor machine. */
export async function findInstance(
  { api, ids }: { readonly api: VmApiAccess; readonly ids: InstanceIds },
  id: string,
  signal: AbortSignal,
): Promise<FoundInstance | undefined> {
  const key = await ids.find(id, signal);
  if (key === undefined) return undefined;
  const { name, namespace } = key;
  const [vmi, machine] = await Promise.all([
    unlessGone('read', () => api.instances.get(name, { namespace, signal })),
    unlessGone('read', () => api.machines.get(name, { namespace, signal })),
  ]);
  const isIt = id.includes('/') || (vmi && instanceIdOf(vmi) === id) || (machine && idOfMachine(machine) === id);
  if (isIt && (vmi ?? machine)) return { key, vmi, machine };
  // What had this id is gone, and another one may have its name.
  ids.forget();
  return undefined;
}
