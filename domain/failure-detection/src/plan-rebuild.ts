import { askForRebuilds } from './ask-for-rebuilds.ts';
import type { RecoverySettings } from './detection-settings.ts';
import { followInstances } from './follow-instances.ts';
import { holdProof } from './hold-proof.ts';
import { closeIncident, waitFor } from './incident-change.ts';
import type { Incident, RebuildRecord } from './incident.ts';
import type { IncidentFacts, NextSteps } from './incident-facts.ts';
import { planCleanUp } from './plan-clean-up.ts';
import { followReserved } from './use-reserved-hosts.ts';

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
  if (compute !== undefined && isEveryoneDone(followed.instances)) return settle(followed, now);
  const held = holdProof(followed, settings, now);
  if (held.kind === 'lost') return held.steps;
  const { keepReading } = held;
  const incident = followReserved(held.incident, facts.plan, settings, now);
  if (compute === undefined) {
    return keepReading(waitFor(incident, 'compute-unreachable', 'the compute system cannot be reached'));
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

function settle(incident: Incident, now: number): NextSteps {
  const failed = incident.instances.filter(({ state }) => state === 'failed');
  const rebuilt = incident.instances.filter(({ state }) => state === 'rebuilt').length;
  const remark = incident.cleanUp?.state === 'given-up' ? `; ${incident.cleanUp.message}` : '';
  const outcome = `${rebuilt} instances were rebuilt`;
  if (failed.length === 0) return closeIncident(incident, 'recovered', `${outcome}${remark}`, now);
  const names = failed.map(({ name, message }) => `${name}: ${message}`).join('; ');
  return closeIncident(incident, 'failed', `${outcome}, ${failed.length} not: ${names}${remark}`, now);
}
