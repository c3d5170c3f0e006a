import type { RecoverySettings } from '../detection-settings.ts';
import { holdProof } from '../fence/hold-proof.ts';
import { waitFor } from '../incident/incident-change.ts';
import type { Incident } from '../incident/incident.ts';
import type { IncidentAction, IncidentFacts, NextSteps } from '../incident/incident-facts.ts';
import { followInstances } from './follow-instances.ts';
import { planCleanUp } from './plan-clean-up.ts';
import { planRebuild } from './plan-rebuild.ts';
import { waitForCompute } from './wait-for-compute.ts';

/**
 * Tells the compute system that the host is dead, and keeps it from taking instances. Both may be told again. What it had is written
 * down before: a compute system that rebuilds by itself has taken all of it off the host a moment later.
 */
export function planForceDown(
  before: Incident,
  facts: IncidentFacts,
  settings: RecoverySettings,
  now: number,
): NextSteps {
  const held = holdProof(before, facts, settings, now);
  if (held.kind === 'lost') return held.steps;
  const { keepReading } = held;
  const { compute } = facts;
  if (compute === undefined) {
    return keepReading(waitForCompute(held.incident, facts.computeGap));
  }
  const known = { ...held.incident, wasEnabled: held.incident.wasEnabled ?? compute.isEnabled };
  if (compute.isForcedDown && !compute.isEnabled) {
    return planRebuild({ ...known, state: 'rebuilding' }, facts, settings, now);
  }
  if (facts.isPaused) return keepReading(waitFor(known, 'paused', 'high availability is paused'));
  const incident = followInstances(known, compute, facts, { settings, now });
  const cleaning = planCleanUp(incident, settings, now);
  const actions: IncidentAction[] = [...cleaning.actions];
  // Where it rebuilds by itself, to tell it is to ask for all of that, which comes after the clean-up.
  const isToBeTold = compute.left === undefined || cleaning.isOver;
  if (!compute.isForcedDown && isToBeTold) actions.push(forceDown(incident));
  if (compute.isEnabled) actions.push({ kind: 'disable', reason: `high availability: incident ${incident.id}` });
  if (isToBeTold) {
    const message = 'the compute system is told that it is dead';
    return keepReading(waitFor(cleaning.incident, 'force-down', message, actions));
  }
  const message =
    'what it still holds in the network is cleared away before the compute system is told that it is dead';
  return keepReading(waitFor(cleaning.incident, 'clean-up', message, actions));
}

function forceDown({ lifeSign }: Incident): IncidentAction {
  return { kind: 'force-down', ...(lifeSign !== undefined && { lifeSign: lifeSign.text }) };
}
