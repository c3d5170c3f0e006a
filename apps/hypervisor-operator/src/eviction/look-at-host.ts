import {
  isComputeError,
  type ComputeHost,
  type ComputeInstance,
  type HostIdentity,
  type MoveTarget,
} from '@smalt/compute';
import { missingInstances, type EvictionView, type RememberedInstance } from '@smalt/eviction-plan';
import type { Eviction, Hypervisor } from '@smalt/fleet-api';

import type { EvictionParts, EvictionPass } from './eviction-parts.ts';

/** Moves that began so long before the eviction may still matter: clocks differ. */
const SLACK_MS = 3_600_000;

/** The host as it was a moment ago, if it took no instances then, else as it is now; undefined if it is not there. */
export async function lookUpHost(
  { context: { compute, clock }, settings }: EvictionParts,
  { notes, signal }: EvictionPass,
  identity: HostIdentity,
): Promise<ComputeHost | undefined> {
  const { host: known } = notes;
  const now = clock.monotonic();
  const isFresh = known !== undefined && now - known.at < settings.preflightMs && !known.host.isEnabled;
  if (isFresh && known.host.hypervisorId === identity.hypervisorId) return known.host;
  delete notes.host;
  const host = await compute.hosts.get(identity, signal);
  if (host !== undefined) notes.host = { at: now, host };
  return host;
}

/** What the compute system says of the host and its instances now, beside what the status remembers. */
export async function lookAtHost(
  parts: EvictionParts,
  pass: EvictionPass,
  host: ComputeHost,
): Promise<Omit<EvictionView, 'targets' | 'others' | 'mayStart'>> {
  const { context, settings } = parts;
  const { eviction, hypervisor, notes, key, signal } = pass;
  const { compute, clock } = context;
  const remembered = rememberedOf(eviction);
  const outstanding = eviction.status?.outstandingInstances ?? [];
  const instances = await compute.instances.list(host, signal);
  // A host that is empty and of which nothing is remembered has no moves that matter.
  const isQuiet = instances.length === 0 && remembered.length === 0;
  const moves = isQuiet ? [] : await compute.moves.list(host, sinceOf(eviction, clock.now()), signal);
  const missing = missingInstances({ remembered, outstanding, instances });
  const found = await Promise.all(missing.map(async (id) => [id, await compute.instances.get(id, signal)] as const));
  forgetAnswers(notes.answers, new Set([...instances.map(({ id }) => id), ...missing]));
  context.logger.debug({ resource: key, step: 'look', instances: instances.length }, 'looked at the host');
  return {
    hostName: host.name,
    hostTraits: traitsOf(hypervisor),
    instances,
    elsewhere: new Map(found),
    moves,
    remembered,
    outstanding,
    moved: eviction.status?.progress?.moved ?? 0,
    answers: notes.answers,
    limits: settings.limits,
    now: clock.now(),
  };
}

export type KnownTargets =
  | { readonly kind: 'known'; readonly byInstance: ReadonlyMap<string, readonly MoveTarget[]> }
  | { readonly kind: 'unknown'; readonly message: string };

/** The hosts that could take each of these instances, as of a moment ago. */
export async function lookUpTargets(
  { context: { compute, clock }, settings }: EvictionParts,
  { notes, signal }: EvictionPass,
  instances: readonly ComputeInstance[],
): Promise<KnownTargets> {
  const { targets: known } = notes;
  const now = clock.monotonic();
  const isFresh = known !== undefined && now - known.at < settings.preflightMs;
  if (isFresh && instances.every(({ id }) => known.byInstance.has(id))) {
    return { kind: 'known', byInstance: known.byInstance };
  }
  try {
    const found = await Promise.all(
      instances.map(async (instance) => [instance.id, await compute.instances.targets(instance, signal)] as const),
    );
    const byInstance = new Map(found);
    notes.targets = { at: now, byInstance };
    return { kind: 'known', byInstance };
  } catch (error) {
    // Moves under way must be looked after even when nobody can say where others could go.
    if (!isComputeError(error) || error.code === 'aborted') throw error;
    return { kind: 'unknown', message: error.message };
  }
}

export function rememberedOf({ status }: Eviction): readonly RememberedInstance[] {
  return status?.instances ?? [];
}

function sinceOf({ metadata }: Eviction, now: number): Date {
  const created = Date.parse(metadata.creationTimestamp ?? '');
  return new Date((Number.isNaN(created) ? now : created) - SLACK_MS);
}

function traitsOf({ spec, status }: Hypervisor): readonly string[] {
  return [...new Set([...(status?.traits ?? []), ...(spec?.customTraits ?? [])])];
}

function forgetAnswers(answers: Map<string, unknown>, known: ReadonlySet<string>): void {
  for (const id of answers.keys()) if (!known.has(id)) answers.delete(id);
}
