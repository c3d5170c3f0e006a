import { ComputeError } from '@smalt/compute';
import { isKubeError } from '@smalt/kube';

import type { InstanceKey } from './instances/instance-key.ts';
import { toComputeError } from './to-compute-error.ts';
import type { VmApiAccess } from './vm-api-access.ts';

const GROUP = '/apis/subresources.kubevirt.io/v1';

/** The path of something that virt-api does with an instance or its machine. */
export function subresourcePath(
  { namespace, name }: InstanceKey,
  plural: 'virtualmachines' | 'virtualmachineinstances',
  subresource: string,
): string {
  return [GROUP, 'namespaces', encodeURIComponent(namespace), plural, encodeURIComponent(name), subresource].join('/');
}

/** Asks virt-api to start, stop or restart a machine. What its state does not allow is a `conflict`. */
export async function askMachine(
  api: VmApiAccess,
  key: InstanceKey,
  order: 'start' | 'stop' | 'restart',
  signal: AbortSignal,
): Promise<void> {
  const path = subresourcePath(key, 'virtualmachines', order);
  try {
    // virt-api answers with nothing, which is no JSON.
    await api.client.text({ method: 'PUT', path, body: '{}', signal });
  } catch (error) {
    if (isKubeError(error, 'conflict')) throw new ComputeError('conflict', error.message, { cause: error });
    throw toComputeError(error, 'write');
  }
}
