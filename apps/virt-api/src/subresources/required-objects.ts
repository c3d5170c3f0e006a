import { statusOfRefusal } from '@smalt/vm-admission';
import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';

import type { ObjectName } from '../cluster/cluster-objects.ts';
import { refusal, type VirtApiError } from '../virt-api-error.ts';
import type { SubresourceDeps } from './subresource-call.ts';

type Deps = Pick<SubresourceDeps, 'objects'>;

/** The virtual machine that a request is about; refuses with 404 where there is none. */
export async function requireMachine({ objects }: Deps, key: ObjectName, signal: AbortSignal): Promise<VirtualMachine> {
  const machine = await objects.machine(key, signal);
  if (machine === undefined) throw missing('virtualmachine', key);
  return machine;
}

/** The instance that a request is about; refuses with 404 where there is none. */
export async function requireInstance(
  { objects }: Deps,
  key: ObjectName,
  signal: AbortSignal,
): Promise<VirtualMachineInstance> {
  const instance = await objects.instance(key, signal);
  if (instance === undefined) throw missing('virtualmachineinstance', key);
  return instance;
}

function missing(resource: 'virtualmachine' | 'virtualmachineinstance', { name }: ObjectName): VirtApiError {
  return refusal(statusOfRefusal({ kind: 'refuse', code: 404, resource, name, message: '' }));
}
