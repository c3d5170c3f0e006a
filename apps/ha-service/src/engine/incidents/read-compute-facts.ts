import type { ComputeEvacuation, ComputeInstance, HostIdentity, MoveTarget } from '@smalt/compute';
import type {
  ComputeFacts,
  ComputeGap,
  EvacuationRecord,
  Incident,
  LeftInstance,
  LostInstance,
} from '@smalt/failure-detection';
import { judgeInstance, type HostPlace } from '@smalt/recovery-policy';

import { call, type EngineContext } from '../engine-context.ts';
import { evacuationsSince } from '../evacuations-since.ts';
import type { FleetWatch } from '../fleet/fleet-watch.ts';
import { listInstances } from '../list-instances.ts';
import { fateOf, findLeft, namesOfVanished } from './find-left.ts';

/** Of how many kinds of instances it is asked where there is room. */
const MOST_SHAPES = 8;

interface FactsContext extends EngineContext {
  readonly fleet: Pick<FleetWatch, 'suspects'>;
}

export interface LostHost {
  readonly identity: HostIdentity;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly zone: string | undefined;
}

/** What the compute system says of the host, or why it cannot be gone by. */
export type LostHostReading =
  | {
      readonly kind: 'read';
      readonly compute: ComputeFacts;
      readonly lifeSign: string | undefined;
      /** The host as policies know it. */
      readonly place: HostPlace;
    }
  | { readonly kind: 'gap'; readonly gap: ComputeGap };

/** Reads what the compute system says of a dead host and its instances, all of it after the time it is stamped with. */
export async function readComputeFacts(
  context: FactsContext,
  incident: Incident,
  host: LostHost,
  signal: AbortSignal,
): Promise<LostHostReading> {
  const { clock, compute } = context.ports;
  const at = clock.now();
  const since = evacuationsSince(incident, at);
  const ask = <T>(what: string, run: (inner: AbortSignal) => Promise<T>) => call(context, what, signal, run);
  const [membership, evacuations] = await Promise.all([
    ask('listing aggregates', (inner) => compute.aggregates.membership(host.identity, inner)),
    ask('listing evacuations', (inner) => compute.evacuations.list(host.identity, since, inner)),
  ]);
  // After the evacuations: one that ended between the two is then not missing from both.
  const listed = await listInstances(context, host.identity, signal);
  // After the instances: a host whose cell is lost has none.
  const found = await ask('reading the host', (inner) => compute.hosts.get(host.identity, inner));
  if (found === undefined) return gap('identity', GONE);
  const known = await knownInstances(context, incident, signal);
  const left = await findLeft(context, { listed, known }, signal);
  const vanished = namesOfVanished(left, found.name);
  if (vanished.length > 0) {
    return gap(
      'unreachable',
      `the compute system does not list instances that it has on ${found.name}: ${vanished.join(', ')}`,
    );
  }
  const aggregates = membership.known.filter(({ id }) => membership.joined.has(id));
  const place: HostPlace = { ...host, aggregates };
  const instances = listed.map((instance) => lostInstance(context, instance, place));
  const targets = await readTargets(context, unbegun(incident, listed, instances), signal);
  const { isForcedDown, isEnabled, lifeSign } = found;
  const facts = { at, isForcedDown, isEnabled, instances, evacuations: evacuations.map(toRecord), targets };
  const { isAutomatic } = compute.evacuations.rules;
  const leftOnes = isAutomatic ? Array.from(left, (each) => leftInstance(context, each, place)) : undefined;
  return { kind: 'read', compute: { ...facts, left: leftOnes }, lifeSign, place };
}

const GONE =
  'the compute system does not have it under the ids of its Hypervisor any more: compare both, and mend the wrong side';

function gap(kind: ComputeGap['kind'], message: string): LostHostReading {
  return { kind: 'gap', gap: { kind, message } };
}

function toRecord({ id, instanceId, state, stateText, targetName }: ComputeEvacuation): EvacuationRecord {
  return { id, instanceId, state, message: stateText, targetName };
}

/** Those that have no end yet; before the first list, those that were seen when it showed no life, and what its agent told. */
async function knownInstances(
  { fleet, ports, settings }: FactsContext,
  { host, instances }: Incident,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (instances.length > 0) {
    return new Set(instances.filter(({ state }) => state === 'pending' || state === 'asked').map(({ id }) => id));
  }
  const { store } = ports;
  const told = await call({ ports, settings }, 'reading what its agent told', signal, async (inner) =>
    store.reportedInstances?.(host, inner),
  );
  return new Set([...fleet.suspects.everSeenOn(host), ...(told?.instances.map(({ uuid }) => uuid) ?? [])]);
}

function lostInstance(context: EngineContext, instance: ComputeInstance, place: HostPlace): LostInstance {
  const { isRelevant, priority } = judgeInstance(instance, place, context.settings().policy.instances);
  const { id, name, state, stateText, resources } = instance;
  const canBeRebuilt = context.ports.compute.evacuations.rules.states.has(state);
  return { id, name, state, stateText, resources, isRelevant, canBeRebuilt, priority };
}

function leftInstance(
  context: EngineContext,
  [id, found]: readonly [string, ComputeInstance | undefined],
  place: HostPlace,
): LeftInstance {
  const fate = fateOf(found);
  if (found !== undefined) return { ...lostInstance(context, found, place), fate, hostName: found.hostName };
  const gone = { id, name: id, state: 'deleting', stateText: '', resources: {} } as const;
  return { ...gone, isRelevant: true, canBeRebuilt: false, priority: 0, fate, hostName: undefined };
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
