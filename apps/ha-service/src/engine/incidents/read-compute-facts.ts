import type { ComputeInstance, HostIdentity, MoveTarget } from '@smalt/compute';
import type { ComputeFacts, Incident, LostInstance } from '@smalt/failure-detection';
import { judgeInstance, type HostPlace } from '@smalt/recovery-policy';

import { call, type EngineContext } from '../engine-context.ts';

/** Records of evacuations this much older than the incident are looked at too: the clocks may differ by some days. */
const LOOK_BACK_MS = 7 * 24 * 60 * 60 * 1_000;
/** Of how many kinds of instances it is asked where there is room. */
const MOST_SHAPES = 8;

export interface LostHost {
  readonly identity: HostIdentity;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly zone: string | undefined;
}

export interface LostHostReading {
  readonly compute: ComputeFacts;
  /** The host as policies know it. */
  readonly place: HostPlace;
}

/** Reads what the compute system says of a dead host and its instances, all of it after the time it is stamped with. */
export async function readComputeFacts(
  context: EngineContext,
  incident: Incident,
  host: LostHost,
  signal: AbortSignal,
): Promise<LostHostReading | undefined> {
  const { clock, compute } = context.ports;
  const at = clock.now();
  const since = new Date(Math.max(0, Math.min(incident.openedAt, at) - LOOK_BACK_MS));
  const ask = <T>(what: string, run: (inner: AbortSignal) => Promise<T>) => call(context, what, signal, run);
  const [found, membership, evacuations] = await Promise.all([
    ask('reading the host', (inner) => compute.hosts.get(host.identity, inner)),
    ask('listing aggregates', (inner) => compute.aggregates.membership(host.identity, inner)),
    ask('listing evacuations', (inner) => compute.evacuations.list(host.identity, since, inner)),
  ]);
  // After the evacuations: one that ended between the two is then not missing from both.
  const listed = await ask('listing instances', (inner) => compute.instances.list(host.identity, inner));
  if (found === undefined) return undefined;
  const aggregates = membership.known.filter(({ id }) => membership.joined.has(id));
  const place: HostPlace = { ...host, aggregates };
  const instances = listed.map((instance) => lostInstance(context, instance, place));
  const pending = unbegun(incident, listed, instances);
  const facts: ComputeFacts = {
    at,
    isForcedDown: found.isForcedDown,
    isEnabled: found.isEnabled,
    instances,
    evacuations: evacuations.map(({ id, instanceId, state, stateText, targetName }) => ({
      id,
      instanceId,
      state,
      message: stateText,
      targetName,
    })),
    targets: await readTargets(context, pending, signal),
  };
  return { compute: facts, place };
}

function lostInstance(context: EngineContext, instance: ComputeInstance, place: HostPlace): LostInstance {
  const { isRelevant, priority } = judgeInstance(instance, place, context.settings().policy.instances);
  const { id, name, state, stateText, resources } = instance;
  return { id, name, state, stateText, resources, isRelevant, priority };
}

/** Those that may be asked for next, the most important first. */
function unbegun(
  incident: Incident,
  listed: readonly ComputeInstance[],
  lost: readonly LostInstance[],
): readonly ComputeInstance[] {
  const begun = new Set(incident.instances.filter(({ state }) => state !== 'pending').map(({ id }) => id));
  const priorities = new Map(lost.filter(({ isRelevant }) => isRelevant).map(({ id, priority }) => [id, priority]));
  return listed
    .filter(({ id }) => priorities.has(id) && !begun.has(id))
    .toSorted((a, b) => (priorities.get(b.id) ?? 0) - (priorities.get(a.id) ?? 0));
}

/** Hosts with room for any of them; undefined where that cannot be told. */
async function readTargets(
  context: EngineContext,
  pending: readonly ComputeInstance[],
  signal: AbortSignal,
): Promise<readonly MoveTarget[] | undefined> {
  const shapes = new Map<string, ComputeInstance>();
  for (const instance of pending) {
    const shape = JSON.stringify([instance.resources, instance.requiredTraits, instance.zone]);
    if (!shapes.has(shape)) shapes.set(shape, instance);
    if (shapes.size === MOST_SHAPES) break;
  }
  if (shapes.size === 0) return undefined;
  const { compute } = context.ports;
  const found = await Promise.all(
    Array.from(shapes.values(), (instance) =>
      call(context, 'looking for room', signal, (inner) => compute.instances.targets(instance, inner)),
    ),
  );
  const targets = new Map<string, MoveTarget>();
  for (const list of found) {
    if (list === undefined) return undefined;
    for (const target of list) targets.set(target.hypervisorId, target);
  }
  return [...targets.values()];
}
