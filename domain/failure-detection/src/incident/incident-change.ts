import type { Incident, IncidentState, WaitReason } from './incident.ts';
import type { IncidentAction, NextSteps } from './incident-facts.ts';
import type { Judgement } from '../judgement/judgement.ts';

/** What goes on only after a person has done something. */
const FOR_PERSONS: ReadonlySet<WaitReason> = new Set([
  'no-fence-method',
  'no-proof',
  'alive-after-fence',
  'contradiction',
  'compute-identity',
  'compute-refused',
  'no-reserved-host',
  'overdue',
]);

/** The incident waits, and says why; `actions` may go on meanwhile. */
export function waitFor(
  incident: Incident,
  reason: WaitReason,
  message: string,
  actions: readonly IncidentAction[] = [],
): NextSteps {
  return { incident: { ...incident, wait: { reason, message, needsPerson: FOR_PERSONS.has(reason) } }, actions };
}

/** The incident is over. */
export function closeIncident(
  incident: Incident,
  state: Extract<IncidentState, 'recovered' | 'acquitted' | 'closed' | 'failed'>,
  outcome: string,
  now: number,
): NextSteps {
  return { incident: { ...incident, state, outcome, closedAt: now, wait: undefined }, actions: [] };
}

/** Everything that was to be rebuilt is gone from the host before anything was done to it, so nothing will be. */
export function closeNeedless(incident: Incident, now: number): NextSteps {
  return closeIncident({ ...incident, isNeedless: true }, 'closed', 'nothing is left on it to be rebuilt', now);
}

/** The host lives. One that has rebooted may have stopped instances, which nobody evacuates: they are on a host that lives. */
export function acquit(incident: Incident, alive: Extract<Judgement, { kind: 'alive' }>, now: number): NextSteps {
  const how = alive.isRebooted
    ? 'it has rebooted by itself; what does not run again is for instance recovery, or for the compute system to start'
    : `${alive.by} shows life`;
  return closeIncident(incident, 'acquitted', how, now);
}
