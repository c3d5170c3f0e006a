import { evictionKind, type Eviction, type Hypervisor } from '@smalt/fleet-api';
import { isNotFound, type KubeClient } from '@smalt/kube';

import { isEvicted } from '../frame/is-evicted.ts';
import { decideEviction, type EvictionDecision } from './decide-eviction.ts';
import { hypervisorEvictions, type HypervisorEvictions } from './hypervisor-evictions.ts';

/**
 * A decision that may be stated. One that newly calls a host empty is made anew by the evictions as the API server has them: its
 * agents leave it then, and while a watch hangs there still seems to be an eviction that is gone, whatever came to the host since.
 */
export async function confirmEviction(
  client: KubeClient,
  { hypervisor, evictions }: { readonly hypervisor: Hypervisor; readonly evictions: HypervisorEvictions },
  decision: EvictionDecision,
  signal: AbortSignal,
): Promise<EvictionDecision> {
  if (!decision.isEvicted || isEvicted(hypervisor)) return decision;
  const { named, foreign } = evictions;
  const seen = named === undefined || foreign.includes(named) ? foreign : [named, ...foreign];
  const found = await Promise.all(seen.map((each) => current(client, each, signal)));
  const there = found.filter((each) => each !== undefined);
  const { name } = hypervisor.metadata;
  const nowNamed = there.find(({ metadata }) => metadata.name === name);
  const all = there.filter(({ spec }) => spec?.hypervisor === name);
  return decideEviction(hypervisor, hypervisorEvictions(hypervisor, nowNamed, all));
}

async function current(client: KubeClient, { metadata }: Eviction, signal: AbortSignal): Promise<Eviction | undefined> {
  try {
    return await client.resource(evictionKind).get(metadata.name, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
