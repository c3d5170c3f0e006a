import { requeueAfter, type ObjectChange, type Outcome } from '@smalt/controller-runtime';
import type { Eviction } from '@smalt/fleet-api';

import { isOlder, type EvictionsByHost } from '../hosts/evictions-by-host.ts';
import { isEvictionWorthALook } from './eviction-changes.ts';
import type { EvictionParts, EvictionPass } from './eviction-parts.ts';
import { evictingCondition, unchangedConditions, unchangedFields } from './eviction-statement.ts';

/** Of several evictions of one host the oldest does the work, so that no instance is asked for twice. */
export function leaderOf(evictions: readonly Eviction[], own: Eviction): Eviction {
  const alive = evictions.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return alive.reduce((oldest, each) => (isOlder(each, oldest) ? each : oldest), own);
}

/** The other evictions of a host that go by one that changed. */
export function followersOf(evictions: Pick<EvictionsByHost, 'of'>, change: ObjectChange<Eviction>): readonly string[] {
  const eviction = change.current ?? change.old;
  const name = eviction?.spec?.hypervisor;
  if (eviction === undefined || name === undefined) return [];
  const others = evictions.of(name).filter(({ metadata }) => metadata.name !== change.key);
  // News of an older one are told on by the younger; the older one need not hear of them.
  const isAll = isEvictionWorthALook(change);
  return others.filter((other) => isAll || isOlder(eviction, other)).map(({ metadata }) => metadata.name);
}

/** Tells of the host what the eviction tells that empties it. */
export async function followEviction(
  { status, settings, ledger }: EvictionParts,
  { eviction, key, signal }: EvictionPass,
  leader: Eviction,
): Promise<Outcome> {
  ledger.forget(key);
  // Its memory stays with the leader: who remembers a move is answerable for it.
  const { instances: _, ...fields } = unchangedFields(leader.status);
  const told = unchangedConditions(leader).map((condition) => ({
    ...condition,
    observedGeneration: eviction.metadata.generation,
  }));
  const conditions = told.length > 0 ? told : [evictingCondition({ kind: 'running' }, eviction.metadata.generation)];
  await status.state(eviction, { fields, conditions }, signal);
  return requeueAfter(settings.resyncMs);
}
