import {
  isComputeError,
  type ComputeHost,
  type ComputeInstance,
  type HostIdentity,
  type MoveTarget,
} from '@smalt/compute';
import { missingInstances, type EvictionView, type RememberedInstance } from '@smalt/eviction-plan';
import type { Eviction, Hypervisor } from '@smalt/fleet-api';

import { allowForClockJump } from './allow-for-clock-jump.ts';
import type { EvictionParts, EvictionPass } from './eviction-parts.ts';

/** Moves that began so long before the eviction may still matter: clocks differ. */
const SLACK_MS = 3_600_000;

/** The host as it was a moment ago, if moves could begin then, else as it is now; undefined if it is not there. */
export async function lookUpHost(
  { context: { compute, clock }, settings }: EvictionParts,
  { notes, signal }: EvictionPass,
  identity: HostIdentity,
): Promise<ComputeHost | undefined> {
  const { host: known } = notes;
  const now = clock.monotonic();
  const isFresh = known !== undefined && now - known.at < settings.preflightMs && isReady(known.host);
  if (isFresh && isSameHost(known.host, identity)) return known.host;
  delete notes.host;
  const host = await compute.hosts.get(identity, signal);
  if (host !== undefined) notes.host = { at: now, host };
  return host;
}

export function isSameHost(one: HostIdentity, other: HostIdentity): boolean {
  return one.hypervisorId === other.hypervisorId && one.serviceId === other.serviceId;
}

/** What is not so yet is looked for at each look, so that its end is seen at once. */
function isReady(host: ComputeHost): boolean {
  return !host.isEnabled && !isDown(host);
}

/** Whether nobody would answer there: neither moves away from it nor their ends come to anything. */
export function isDown({ isUp, isForcedDown }: Pick<ComputeHost, 'isUp' | 'isForcedDown'>): boolean {
  return !isUp || isForcedDown;
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
  const clocks = { now: clock.now(), monotonic: clock.monotonic() };
  const remembered = allowForClockJump(rememberedOf(eviction), notes.clocks, clocks);
  notes.clocks = clocks;
  const outstanding = eviction.status?.outstandingInstances ?? [];
  const instances = await compute.instances.list(host, signal);
  // A host that is empty and of which nothing is remembered has no moves that matter.
  const isQuiet = instances.length === 0 && remembered.length === 0;
  const moves = isQuiet ? [] : await compute.moves.list(host, sinceOf(eviction, clocks.now), signal);
  const missing = missingInstances({ remembered, outstanding, instances });
  const found = await Promise.all(missing.map(async (id) => [id, await compute.instances.get(id, signal)] as const));
  forgetUnknown(notes.answers, new Set([...instances.map(({ id }) => id), ...missing]));
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
    now: clocks.now,
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
  if (isFresh && instances.every(({ id }) => known.ids.has(id))) {
    return { kind: 'known', byInstance: known.byInstance };
  }
  try {
    const found = await Promise.all(
      instances.map(async (instance) => [instance.id, await compute.instances.targets(instance, signal)] as const),
    );
    // One whose targets cannot be told is left out: it is moved without being checked for room.
    const byInstance = new Map(
      found.flatMap(([id, targets]) => (targets === undefined ? [] : [[id, targets] as const])),
    );
    notes.targets = { at: now, ids: new Set(instances.map(({ id }) => id)), byInstance };
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

function traitsOf(hypervisor: Hypervisor | undefined): readonly string[] {
  return [...new Set([...(hypervisor?.status?.traits ?? []), ...(hypervisor?.spec?.customTraits ?? [])])];
}

function forgetUnknown(answers: Map<string, unknown>, known: ReadonlySet<string>): void {
  for (const id of answers.keys()) if (!known.has(id)) answers.delete(id);
}
