import { ComputeError, isComputeError, type Compute, type HostIdentity } from '@smalt/compute';
import type { Hypervisor } from '@smalt/fleet-api';
import type { KubeClient } from '@smalt/kube';

import { unchangedHypervisor } from '../frame/unchanged-hypervisor.ts';
import { computeFailure } from '../hosts/compute-failure.ts';
import { findNewRegistration, registeredAnewMessage } from '../hosts/find-new-registration.ts';
import type { HostClaims } from '../hosts/host-claims.ts';
import { hostIdentity } from '../hosts/host-identity.ts';
import { hostNameOf } from '../hosts/host-name-of.ts';
import { decideOffboarding, whatBlocksRemoval } from './decide-offboarding.ts';

/** How far the removal of a host came. */
export type Removal =
  | { readonly kind: 'done' }
  /** It was found by its name; its ids have to be kept before anything of it is removed. */
  | { readonly kind: 'found'; readonly host: HostIdentity }
  | { readonly kind: 'blocked'; readonly message: string }
  /** It is not to be removed any more, or not yet: nothing is to be stated. */
  | { readonly kind: 'outdated' }
  | { readonly kind: 'failed'; readonly failure: ComputeError };

export interface RemovalContext {
  readonly client: KubeClient;
  readonly compute: Compute;
  readonly claims: HostClaims;
}

/**
 * Removes a host from the compute system, as far as that is possible now. It goes by the stored ids, so that what was
 * interrupted goes on, and a host with a similar name or of another hypervisor is never touched.
 */
export async function removeHost(
  context: RemovalContext,
  hypervisor: Hypervisor,
  signal: AbortSignal,
): Promise<Removal> {
  try {
    const host = hostIdentity(hypervisor);
    if (host === undefined) return await findHost(context, hypervisor, signal);
    const obstacle = await findObstacle(context, hypervisor, host, signal);
    if (obstacle !== undefined) return blocked(obstacle);
    // All that took its time, and what is removed does not come back.
    if (!(await isStillToGo(context, hypervisor, signal))) return { kind: 'outdated' };
    return await context.compute.hosts.deregister(host, signal);
  } catch (error) {
    return { kind: 'failed', failure: computeFailure(error) };
  }
}

async function isStillToGo({ client }: RemovalContext, hypervisor: Hypervisor, signal: AbortSignal): Promise<boolean> {
  const current = await unchangedHypervisor(client, hypervisor, signal);
  return current !== undefined && decideOffboarding(current).kind === 'remove';
}

async function findHost(context: RemovalContext, hypervisor: Hypervisor, signal: AbortSignal): Promise<Removal> {
  try {
    const host = await findNewRegistration(context, hypervisor, signal);
    if (host === undefined) return { kind: 'done' };
    const rival = await context.claims.rivalOf(host, hypervisor, signal);
    if (rival !== undefined) return blocked(claimed(host.name, rival));
    if (host.name !== hostNameOf(hypervisor)) {
      return blocked(`Host ${host.name} may be this one: delete its compute service, or name it in the hostname label`);
    }
    return { kind: 'found', host: { hypervisorId: host.hypervisorId, serviceId: host.serviceId } };
  } catch (error) {
    throw unread(error, hypervisor.metadata.name);
  }
}

async function findObstacle(
  context: RemovalContext,
  hypervisor: Hypervisor,
  host: HostIdentity,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { hosts, instances } = context.compute;
  try {
    const registered = await hosts.get(host, signal);
    // An earlier attempt came this far: what it left behind still has to be looked for.
    if (registered === undefined) return await findReturned(context, hypervisor, signal);
    const rival = await context.claims.rivalOf(registered, hypervisor, signal);
    if (rival !== undefined) return claimed(registered.name, rival);
    return whatBlocksRemoval(hypervisor, registered.name, (await instances.list(host, signal)).length);
  } catch (error) {
    if (isComputeError(error, 'not-found')) return await findReturned(context, hypervisor, signal);
    throw unread(error, hypervisor.metadata.name);
  }
}

/** A host that is gone under its ids may have come back under others, with instances on it. */
async function findReturned(
  context: RemovalContext,
  hypervisor: Hypervisor,
  signal: AbortSignal,
): Promise<string | undefined> {
  const host = await findNewRegistration(context, hypervisor, signal);
  return host && `Hypervisor is being offboarded, but ${registeredAnewMessage(host)}`;
}

function claimed(hostName: string, rival: string): string {
  return `Hypervisor is being offboarded, but host ${hostName} belongs to Hypervisor ${rival}: it is not removed`;
}

function blocked(message: string): Removal {
  return { kind: 'blocked', message };
}

function unread(error: unknown, name: string): ComputeError {
  const { code, message, retryAfterMs } = computeFailure(error);
  return new ComputeError(code, `cannot get hypervisor by name ${name} due to ${message}`, {
    cause: error,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}
