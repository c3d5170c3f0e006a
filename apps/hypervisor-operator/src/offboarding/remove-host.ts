import { ComputeError, isComputeError, type Compute, type HostIdentity } from '@smalt/compute';
import type { Hypervisor } from '@smalt/fleet-api';

import { computeFailure } from '../compute-failure.ts';
import { hostIdentity } from '../host-identity.ts';
import { whatBlocksRemoval } from './decide-offboarding.ts';

/** How far the removal of a host came. */
export type Removal =
  | { readonly kind: 'done' }
  /** It was found by its name; its ids have to be kept before anything of it is removed. */
  | { readonly kind: 'found'; readonly host: HostIdentity }
  | { readonly kind: 'blocked'; readonly message: string }
  | { readonly kind: 'failed'; readonly failure: ComputeError };

/**
 * Removes a host from the compute system, as far as that is possible now. It goes by the stored ids, so that what was
 * interrupted goes on, and a host with a similar name is never touched.
 */
export async function removeHost(compute: Compute, hypervisor: Hypervisor, signal: AbortSignal): Promise<Removal> {
  try {
    const host = hostIdentity(hypervisor);
    if (host === undefined) return await findHost(compute, hypervisor, signal);
    const obstacle = await findObstacle(compute, hypervisor, host, signal);
    if (obstacle !== undefined) return { kind: 'blocked', message: obstacle };
    return await compute.hosts.deregister(host, signal);
  } catch (error) {
    return { kind: 'failed', failure: computeFailure(error) };
  }
}

async function findHost(compute: Compute, { metadata }: Hypervisor, signal: AbortSignal): Promise<Removal> {
  try {
    const host = await compute.hosts.find(metadata.name, signal);
    if (host === undefined) return { kind: 'done' };
    return { kind: 'found', host: { hypervisorId: host.hypervisorId, serviceId: host.serviceId } };
  } catch (error) {
    throw unread(error, metadata.name);
  }
}

async function findObstacle(
  { hosts, instances }: Compute,
  hypervisor: Hypervisor,
  host: HostIdentity,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const registered = await hosts.get(host, signal);
    // An earlier attempt came this far: what it left behind still has to be looked for.
    if (registered === undefined) return undefined;
    return whatBlocksRemoval(hypervisor, registered.name, (await instances.list(host, signal)).length);
  } catch (error) {
    if (isComputeError(error, 'not-found')) return undefined;
    throw unread(error, hypervisor.metadata.name);
  }
}

function unread(error: unknown, name: string): ComputeError {
  const { code, message, retryAfterMs } = computeFailure(error);
  return new ComputeError(code, `cannot get hypervisor by name ${name} due to ${message}`, {
    cause: error,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}
