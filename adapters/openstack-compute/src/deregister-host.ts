import type { Deregistration, HostIdentity } from '@smalt/compute';
import { isConflict, isNotFound, type ComputeHypervisor, type OpenStackClient } from '@smalt/openstack';

import type { HostRegister } from './host-register.ts';
import { asComputeErrors, toComputeError, unlessGone } from './to-compute-error.ts';

export interface DeregisterContext {
  readonly client: OpenStackClient;
  readonly register: HostRegister;
}

/**
 * Removes service, hypervisor and provider of a host, by their ids alone. Each step takes it that those before it may
 * have been done by an earlier attempt, and looks before it deletes.
 */
export async function deregisterHost(
  context: DeregisterContext,
  host: HostIdentity,
  signal: AbortSignal,
): Promise<Deregistration> {
  const { hypervisors } = context.client.compute;
  const hypervisor = await unlessGone(
    'read',
    () => hypervisors.get(host.hypervisorId, { withServers: true, signal }),
    (message) => `cannot get hypervisor ${host.hypervisorId} due to ${message}`,
  );
  const obstacle = hypervisor && whatBlocks(hypervisor, host);
  if (obstacle !== undefined) return blocked(`Hypervisor is being offboarded, but ${obstacle}`);
  return (
    (await deleteService(context, host, signal)) ??
    (await deleteProvider(context.client, host.hypervisorId, signal)) ?? { kind: 'done' }
  );
}

/** What has to go before a hypervisor may. */
function whatBlocks(hypervisor: ComputeHypervisor, host: HostIdentity): string | undefined {
  const { hostname, serviceId, serviceHost, runningServers = 0, servers = [] } = hypervisor;
  if (serviceId !== host.serviceId) {
    return `hypervisor ${hostname} (${hypervisor.id}) now belongs to the compute service ${serviceId}, not to ${host.serviceId}: its agent has registered it again`;
  }
  if (runningServers > 0) return `still has ${runningServers} running VMs`;
  if (servers.length === 0) return undefined;
  return `still has ${servers.length} assigned VMs, check with \`openstack server list --all-projects --host ${serviceHost}\``;
}

async function deleteService(
  { client, register }: DeregisterContext,
  host: HostIdentity,
  signal: AbortSignal,
): Promise<Deregistration | undefined> {
  const say = (message: string): string => `cannot delete service ${host.serviceId} due to ${message}`;
  try {
    await client.compute.services.delete(host.serviceId, { signal });
  } catch (error) {
    // Nova itself looks for servers once more, and for moves that are under way.
    if (isConflict(error)) return blocked(say(error.message));
    if (!isNotFound(error)) throw toComputeError(error, 'write', say);
  }
  register.noteGone(host);
  return undefined;
}

async function deleteProvider(
  { placement }: OpenStackClient,
  id: string,
  signal: AbortSignal,
): Promise<Deregistration | undefined> {
  const { providers, allocations } = placement;
  const provider = await unlessGone(
    'read',
    () => providers.get(id, { signal }),
    (message) => `cannot get resource provider: ${message}`,
  );
  if (provider === undefined) return undefined;
  const { consumers } = (await unlessGone('read', () => providers.allocations(id, { signal }), sayCleanUp)) ?? {};
  for (const consumer of Object.keys(consumers ?? {})) {
    const has = await asComputeErrors('read', () => allocations.get(consumer, { signal }), sayCleanUp);
    if (Object.keys(has.providers).length > 0) {
      return blocked(
        sayCleanUp(
          `cannot clean up provider, cannot handle non-empty consumer allocations; check with \`openstack resource provider allocation show ${consumer}\``,
        ),
      );
    }
    await unlessGone('write', () => allocations.delete(consumer, { signal }), sayCleanUp);
  }
  const sayDeleted = (message: string): string => sayCleanUp(`failed to delete after cleanup due to ${message}`);
  try {
    await providers.delete(id, { signal });
  } catch (error) {
    if (isConflict(error)) return blocked(sayDeleted(error.message));
    if (!isNotFound(error)) throw toComputeError(error, 'write', sayDeleted);
  }
  return undefined;
}

function sayCleanUp(message: string): string {
  return `cannot clean up resource provider: ${message}`;
}

function blocked(message: string): Deregistration {
  return { kind: 'blocked', message };
}
