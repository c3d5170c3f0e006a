import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';

import { unlessGone } from '../to-compute-error.ts';
import type { VmApiAccess } from '../vm-api-access.ts';
import type { InstanceIds } from './instance-ids.ts';
import { idOfMachine, instanceIdOf, keyOfDomain, type InstanceKey } from './instance-key.ts';

/** An instance and its machine, one of which may be missing. */
export interface FoundInstance {
  readonly key: InstanceKey;
  readonly vmi: VirtualMachineInstance | undefined;
  readonly machine: VirtualMachine | undefined;
}

interface Finding {
  readonly api: VmApiAccess;
  readonly ids: InstanceIds;
}

/**
 * Reads an instance by its id as it is now; undefined when there is neither instance nor machine. The name of its domain spares
 * a look at all of them.
 */
export async function findInstance(
  { api, ids }: Finding,
  id: string,
  signal: AbortSignal,
  domainName?: string,
): Promise<FoundInstance | undefined> {
  const named = domainName === undefined || id.includes('/') ? undefined : keyOfDomain(domainName);
  const key = named ?? (await ids.find(id, signal));
  if (key === undefined) return undefined;
  const found = await readInstanceAt(api, key, signal);
  if (!isCalled(id, found)) {
    // What had this id is gone, and another one may have its name.
    ids.forget(id);
    return undefined;
  }
  if (named !== undefined) ids.remember(id, named);
  return found;
}

async function readInstanceAt(api: VmApiAccess, key: InstanceKey, signal: AbortSignal): Promise<FoundInstance> {
  const { name, namespace } = key;
  const [vmi, machine] = await Promise.all([
    unlessGone('read', () => api.instances.get(name, { namespace, signal })),
    unlessGone('read', () => api.machines.get(name, { namespace, signal })),
  ]);
  return { key, vmi, machine };
}

function isCalled(id: string, { vmi, machine }: FoundInstance): boolean {
  if (id.includes('/')) return (vmi ?? machine) !== undefined;
  return (vmi && instanceIdOf(vmi) === id) || (machine !== undefined && idOfMachine(machine) === id);
}
