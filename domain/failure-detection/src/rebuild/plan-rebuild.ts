import { askForRebuilds } from './ask-for-rebuilds.ts';
import type { RecoverySettings } from '../detection-settings.ts';
import { followInstances } from './follow-instances.ts';
import { holdProof } from '../fence/hold-proof.ts';
import { closeIncident, waitFor } from '../incident/incident-change.ts';
import type { Incident, RebuildRecord } from '../incident/incident.ts';
import type { IncidentFacts, NextSteps } from '../incident/incident-facts.ts';
import { planCleanUp } from './plan-clean-up.ts';
import { putOffAgain } from './put-off-again.ts';
import { followReserved } from './use-reserved-hosts.ts';
import { waitForCompute } from './wait-for-compute.ts';

/**
 * Asks for the evacuation of each instance, one at a time, as long as the host is known to be off, and follows the
 * records of those that were asked for. It is over when each has an end.
 */
export function planRebuild(
  before: Incident,
  facts: IncidentFacts,
  settings: RecoverySettings,
  now: number,
): NextSteps {
  const { compute } = facts;
  const followed = compute === undefined ? before : followInstances(before, compute, facts, { settings, now });
  if (compute !== undefined && isEveryoneDone(followed.instances)) return finish(followed, facts, settings, now);
  const held = holdProof(followed, facts, settings, now);
  if (held.kind === 'lost') return held.steps;
  const { keepReading } = held;
  const incident = followReserved(held.incident, facts.plan, settings, now);
  if (compute === undefined) {
    return keepReading(waitForCompute(incident, facts.computeGap));
  }
  if (!compute.isForcedDown || compute.isEnabled) {
    const message = 'somebody has taken back that it is dead; the compute system is told again';
    return keepReading(waitFor({ ...incident, state: 'forcing-down' }, 'force-down', message));
  }
  if (facts.isPaused) return keepReading(waitFor(incident, 'paused', 'high availability is paused'));
  const cleaning = planCleanUp(incident, settings, now);
  if (!cleaning.isOver) {
    const message = 'what it still holds in the network is cleared away before instances are rebuilt';
    return keepReading(waitFor(cleaning.incident, 'clean-up', message, cleaning.actions));
  }
  return keepReading(askForRebuilds(cleaning.incident, { compute, plan: facts.plan }, settings, now));
}

function isEveryoneDone(instances: readonly RebuildRecord[]): boolean {
  return instances.every(({ state }) => state !== 'pending' && state !== 'asked');
}

/** All have an end; what stood still before is made to do so again. */
function finish(
  followed: Incident,
  { putOffAnswers, isPaused }: IncidentFacts,
  settings: RecoverySettings,
  now: number,
): NextSteps {
  const { incident, isOver, actions } = putOffAgain(followed, putOffAnswers, settings, now);
  if (isOver) return settle(incident, now);
  if (isPaused) return waitFor(followed, 'paused', 'high availability is paused');
  const message = 'instances that stood still before and came up running are put off again';
  return waitFor(incident, 'put-off', message, actions);
}

function settle(incident: Incident, now: number): NextSteps {
  const failed = incident.instances.filter(({ state }) => state === 'failed');
  const rebuilt = incident.instances.filter(({ state }) => state === 'rebuilt').length;
  const remark = incident.cleanUp?.state === 'given-up' ? `; ${incident.cleanUp.message}` : '';
  const running = incident.instances.filter(({ putOff }) => putOff?.state === 'given-up').map(({ name }) => name);
  const note = running.length === 0 ? '' : `; may run though they stood still before: ${running.join(', ')}`;
  const outcome = `${rebuilt} instances were rebuilt${note}`;
  if (failed.length === 0) return closeIncident(incident, 'recovered', `${outcome}${remark}`, now);
  const names = failed.map(({ name, message }) => `${name}: ${message}`).join('; ');
  return closeIncident(incident, 'failed', `${outcome}, ${failed.length} not: ${names}${remark}`, now);
}
