import { evictionKind, type Eviction } from '@smalt/fleet-api';
import { isAlreadyExists, isConflict, isNotFound, type KubeClient } from '@smalt/kube';

import { SmaltError } from '../smalt-error.ts';
import { decideDrain } from './decide-drain.ts';
import { evictionsOfHost, isOfMaintenance } from './evictions-of-host.ts';

/** What is to be done so that a host is emptied. */
export type EvictionStep =
  | { readonly kind: 'create' }
  /** One is under way: to ask twice is no mistake. */
  | { readonly kind: 'follow' }
  | { readonly kind: 'refuse'; readonly text: string };

/** Decides from the evictions that there are how a host comes to be emptied, so that it is never ordered twice. */
export function decideEviction(evictions: readonly Eviction[], host: string): EvictionStep {
  const [leader] = evictionsOfHost(evictions, host);
  if (leader === undefined) {
    const isTaken = evictions.some(({ metadata }) => metadata.name === host);
    const next = `see kubectl describe evi ${host}`;
    return isTaken
      ? { kind: 'refuse', text: `the eviction ${host} is not one of this host: ${next}` }
      : { kind: 'create' };
  }
  if (leader.metadata.deletionTimestamp !== undefined) {
    return { kind: 'refuse', text: `an eviction of ${host} is being taken back: order it again when that is done` };
  }
  if (decideDrain('evicted', { hypervisor: undefined, eviction: leader }).kind === 'waiting') return { kind: 'follow' };
  const next = isOfMaintenance(leader)
    ? `smalt maintenance ${host} off gives it back`
    : `smalt evict ${host} --undo removes it, and then it can be ordered again`;
  return { kind: 'refuse', text: `an eviction of ${host} is over and still holds it: ${next}` };
}

/** Has a host emptied by an Eviction of its name; one that is under way counts, whoever made it. */
export async function orderEviction(
  client: KubeClient,
  spec: NonNullable<Eviction['spec']>,
  signal: AbortSignal,
): Promise<void> {
  const { hypervisor: host } = spec;
  const evictions = client.resource(evictionKind);
  if (!(await isToBeMade(client, host, signal))) return;
  try {
    await evictions.create({ metadata: { name: host }, spec }, { signal });
  } catch (error) {
    // Somebody was faster; what they made is judged as if it had been there.
    if (!isAlreadyExists(error) || (await isToBeMade(client, host, signal))) throw error;
  }
}

async function isToBeMade(client: KubeClient, host: string, signal: AbortSignal): Promise<boolean> {
  const step = decideEviction((await client.resource(evictionKind).list({ signal })).items, host);
  if (step.kind === 'refuse') throw new SmaltError('refused', step.text);
  return step.kind === 'create';
}

/** Takes back all evictions of a host, whoever made them. Those of its maintenance stay: they would come again. */
export async function takeBackEvictions(client: KubeClient, host: string, signal: AbortSignal): Promise<void> {
  const evictions = client.resource(evictionKind);
  const known = evictionsOfHost((await evictions.list({ signal })).items, host);
  if (known.length === 0) throw new SmaltError('not-found', `no eviction of ${host} is under way`);
  const ordered = known.filter((eviction) => !isOfMaintenance(eviction));
  if (ordered.length === 0) {
    throw new SmaltError('refused', `${host} is emptied for its maintenance: smalt maintenance ${host} off ends it`);
  }
  for (const { metadata } of ordered) {
    try {
      await evictions.delete(metadata.name, { uid: metadata.uid, signal });
    } catch (error) {
      // What is gone, or is another one by now, needs no taking back.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}
