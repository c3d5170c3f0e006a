import { chooseRebuilds, isOverdue, type RebuildChoice } from './choose-rebuilds.ts';
import type { RecoverySettings } from '../detection-settings.ts';
import { waitFor } from '../incident/incident-change.ts';
import type { Incident, RebuildRecord } from '../incident/incident.ts';
import type { ComputeFacts, IncidentAction, NextSteps, RecoveryPlan } from '../incident/incident-facts.ts';
import { nextReserved, prepareReserved, takeReserved } from './use-reserved-hosts.ts';

/**
 * Asks for those whose turn it is, and for the hosts that they need. All of it is in the incident first. Where the compute system
 * rebuilds by itself nobody is asked for: all of them are awaited.
 */
export function askForRebuilds(
  before: Incident,
  { compute, plan }: { readonly compute: ComputeFacts; readonly plan: RecoveryPlan | undefined },
  settings: RecoverySettings,
  now: number,
): NextSteps {
  const incident: Incident = { ...before, method: plan?.method ?? 'auto' };
  const uses = incident.reserved ?? [];
  const places = {
    method: incident.method ?? 'auto',
    ready: uses.filter(({ state }) => state === 'ready').map(({ host }) => host),
    canHaveMore: uses.some(({ state }) => state === 'preparing') || nextReserved(incident, plan) !== undefined,
  };
  const choice = chooseRebuilds(incident.instances, compute, { places, settings, now });
  const instances = incident.instances.map((record) =>
    noted(awaited(record, compute, settings, now), choice, settings, now),
  );
  const taken =
    choice.reserving.size > 0 ? takeReserved({ ...incident, instances }, plan, now) : { ...incident, instances };
  const prepared = prepareReserved(taken, plan, settings, now);
  const evacuations = choice.chosen.map(({ id, target }): IncidentAction => {
    return { kind: 'evacuate', instanceId: id, ...(target !== undefined && { target }) };
  });
  return waiting(prepared.incident, choice, [...prepared.actions, ...evacuations], { settings, now });
}

/**
 * One that is rebuilt by itself is waited for from now on, whether that has begun with it or not. While its state may pass it stays
 * pending, because that holds up no other host: the other end of a move may have to be proved to be off first.
 */
function awaited(
  record: RebuildRecord,
  { left, at }: ComputeFacts,
  settings: RecoverySettings,
  now: number,
): RebuildRecord {
  if (left === undefined || record.state !== 'pending') return record;
  const { passesSince } = record;
  if (passesSince !== undefined && at - passesSince < settings.evacuationTimeoutMs) return record;
  const attempts = Math.max(1, record.attempts);
  const begun = { ...record, attempts, startedAt: record.startedAt ?? now, passesSince: undefined };
  const message = 'it is ended there, and started elsewhere without being asked for';
  return { ...begun, state: 'asked', askedAt: passesSince ?? at, message };
}

function noted(record: RebuildRecord, choice: RebuildChoice, settings: RecoverySettings, now: number): RebuildRecord {
  const { id } = record;
  const asked = choice.chosen.find((each) => each.id === id);
  if (choice.homeless.has(id)) return { ...record, message: 'no host has room for it' };
  if (choice.reserving.has(id)) return { ...record, message: 'it waits for a reserved host to be ready' };
  if (choice.unreserved.has(id)) return { ...record, message: 'no reserved host is left for it' };
  if (asked === undefined) return withDelay(record, settings, now);
  return {
    ...record,
    state: 'asked',
    asks: record.asks + 1,
    attempts: record.asks === 0 ? record.attempts + 1 : record.attempts,
    askedAt: now,
    startedAt: record.startedAt ?? now,
    target: asked.target,
    askedTarget: asked.target,
    message:
      asked.target === undefined ? 'its evacuation is asked for' : `its evacuation to ${asked.target} is asked for`,
  };
}

function withDelay(record: RebuildRecord, settings: RecoverySettings, now: number): RebuildRecord {
  if (record.state !== 'asked' || !isOverdue(record, settings, now)) return record;
  return { ...record, message: 'its evacuation takes too long; look at it in the compute system' };
}

function waiting(
  incident: Incident,
  choice: RebuildChoice,
  actions: readonly IncidentAction[],
  { settings, now }: { readonly settings: RecoverySettings; readonly now: number },
): NextSteps {
  const asked = incident.instances.filter(({ state }) => state === 'asked');
  const open = asked.filter((record) => !isOverdue(record, settings, now)).length;
  if (open > 0) return waitFor(incident, 'evacuations', `${open} instances are being rebuilt`, actions);
  if (choice.reserving.size > 0) {
    const hosts = incident.reserved?.filter(({ state }) => state === 'preparing').map(({ host }) => host) ?? [];
    const message = `reserved host ${hosts.join(', ')} is prepared for ${choice.reserving.size} instances`;
    return waitFor(incident, 'reserved-host', message, actions);
  }
  if (choice.unreserved.size > 0) {
    const message = `no reserved host is left for ${choice.unreserved.size} instances; reserve another, or change the method of its segment`;
    return waitFor(incident, 'no-reserved-host', message, actions);
  }
  if (choice.homeless.size > 0) {
    const message = `no host has room for ${choice.homeless.size} instances; make room`;
    return waitFor(incident, 'no-room', message, actions);
  }
  const pending = incident.instances.filter(({ state }) => state === 'pending');
  const left = pending.length;
  const onlyPasses = pending.every(({ passesSince }) => passesSince !== undefined);
  if (asked.length > 0 && onlyPasses) return waitFor(incident, 'overdue', overdueText(asked), actions);
  if (left > 0 && onlyPasses) {
    return waitFor(incident, 'evacuations', `the states of ${left} instances are waited for to pass`, actions);
  }
  return waitFor(incident, 'evacuations', `${left} instances are tried again in a moment`, actions);
}

/** A compute system leaves a record open for ever when the target died, or its service did, in the midst of it. */
function overdueText(asked: readonly RebuildRecord[]): string {
  const names = asked.map(({ name, target }) => (target === undefined ? name : `${name} (to ${target})`)).join(', ');
  return `the evacuations of ${names} take too long; see whether they run there, set their records right, or close this`;
}
