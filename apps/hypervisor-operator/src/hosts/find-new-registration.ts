import type { Compute, ComputeHost } from '@smalt/compute';
import type { Hypervisor } from '@smalt/fleet-api';

import type { HostClaims } from './host-claims.ts';
import { hostNameOf } from './host-name-of.ts';

export interface RegistrationContext {
  readonly compute: Pick<Compute, 'hosts'>;
  readonly claims: HostClaims;
}

/**
 * The host that the compute system has under the name of a hypervisor, other than the one with its stored ids: it is this
 * one, or may be. One with only a similar name that is known to be somebody else's is left out.
 */
export async function findNewRegistration(
  { compute, claims }: RegistrationContext,
  hypervisor: Hypervisor,
  signal: AbortSignal,
): Promise<ComputeHost | undefined> {
  const name = hostNameOf(hypervisor);
  const host = await compute.hosts.find(name, signal);
  const { hypervisorId, serviceId } = hypervisor.status ?? {};
  // Listings may be some seconds old: that the stored ids are gone is known better.
  if (host === undefined || (host.hypervisorId === hypervisorId && host.serviceId === serviceId)) return undefined;
  if (host.name === name) return host;
  return (await claims.rivalOf(host, hypervisor, signal)) === undefined ? host : undefined;
}

/** Says that a host is another one than its stored ids tell. */
export function registeredAnewMessage({ name, hypervisorId, serviceId }: ComputeHost): string {
  return `host ${name} is registered anew as hypervisor ${hypervisorId} with service ${serviceId}, and not under its stored ids`;
}
