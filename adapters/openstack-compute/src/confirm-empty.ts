import { ComputeError, type HostIdentity } from '@smalt/compute';
import type { OpenStackClient } from '@smalt/openstack';

import { asComputeErrors, unlessGone } from './to-compute-error.ts';

interface EmptyHost extends HostIdentity {
  /** The name of its compute service. */
  readonly serviceHost: string;
}

/**
 * Resolves if a host of which no servers are listed has none, and throws `unavailable` if that cannot be told: its cell cannot be
 * reached, or could not be when they were listed. Its hypervisor is read from its cell alone, and fails with that.
 */
export async function confirmEmpty(
  { compute }: OpenStackClient,
  { hypervisorId, serviceHost }: EmptyHost,
  signal: AbortSignal,
): Promise<void> {
  await asComputeErrors('read', () => compute.services.findCompute(serviceHost, { signal }));
  const call = () => compute.hypervisors.get(hypervisorId, { withServers: true, signal });
  const hypervisor = await unlessGone('read', call);
  for (const { id } of hypervisor?.servers ?? []) {
    const server = await unlessGone('read', () => compute.servers.get(id, { signal }));
    const mayBeThere = server?.host === serviceHost || server?.status === 'UNKNOWN';
    if (mayBeThere) throw shortened(serviceHost, id);
  }
}

function shortened(serviceHost: string, id: string): ComputeError {
  const what = `no server is listed on ${serviceHost}, which has ${id}`;
  return new ComputeError('unavailable', `compute: GET /servers/detail: ${what}`);
}
