import type { ComputeHost } from '@smalt/compute';

import { twinMessage } from '../hosts/host-claims.ts';
import { hostIdentity } from '../hosts/host-identity.ts';
import { hostNameOf } from '../hosts/host-name-of.ts';
import type { EvictionParts, EvictionPass, HypervisorPass } from './eviction-parts.ts';
import { isSameHost, lookUpHost } from './look-at-host.ts';

/** The host that an eviction is for, at the compute system. */
export type FoundHost =
  | { readonly kind: 'found'; readonly host: ComputeHost }
  /** It was never registered: there is nothing to move. */
  | { readonly kind: 'none' }
  /** It was registered, and the compute system does not know it any more. */
  | { readonly kind: 'lost'; readonly message: string }
  /** There is a host of that name or with these ids, and it is not known to be this one. */
  | { readonly kind: 'another'; readonly message: string };

/** Finds the host by its ids; by its name only to tell that it is there under others, or before it has any. */
export async function findHost(parts: EvictionParts, pass: HypervisorPass): Promise<FoundHost> {
  const { hypervisor, signal } = pass;
  const identity = hostIdentity(hypervisor);
  const twin = identity && parts.claims.twinOf(identity, hypervisor);
  if (twin !== undefined) return { kind: 'another', message: twinMessage(twin) };
  const host = identity && (await lookUpHost(parts, pass, identity));
  if (host !== undefined) return { kind: 'found', host };
  const named = await parts.context.compute.hosts.find(hostNameOf(hypervisor), signal);
  const rival = named && (await parts.claims.rivalOf(named, hypervisor, signal));
  if (named === undefined || rival !== undefined) return identity === undefined ? { kind: 'none' } : lost(pass);
  if (identity !== undefined && !isSameHost(named, identity)) return { kind: 'another', message: anewText(named) };
  return { kind: 'found', host: named };
}

function lost({ hypervisor }: HypervisorPass): FoundHost {
  const id = hypervisor.status?.hypervisorId ?? '';
  const message = `failed to get hypervisor ${id}: got 404, the compute system does not know it; remove its ids from the status of the Hypervisor if it is gone for good`;
  return { kind: 'lost', message };
}

function anewText({ name, hypervisorId, serviceId }: ComputeHost): string {
  return `host ${name} is registered anew as hypervisor ${hypervisorId} with compute service ${serviceId}: the eviction goes on when the status of the Hypervisor has these ids`;
}

/** The host whose moves an eviction has followed so far, also when its hypervisor is gone or has other ids by now. */
export async function findFollowedHost(parts: EvictionParts, pass: EvictionPass): Promise<ComputeHost | undefined> {
  const { eviction, hypervisor, signal } = pass;
  const identity = hypervisor && hostIdentity(hypervisor);
  const host = identity && (await lookUpHost(parts, pass, identity));
  if (host !== undefined) return host;
  const name = hypervisor === undefined ? eviction.spec?.hypervisor : hostNameOf(hypervisor);
  const named = name === undefined ? undefined : await parts.context.compute.hosts.find(name, signal);
  return named?.hypervisorId === eviction.status?.hypervisorServiceId ? named : undefined;
}
