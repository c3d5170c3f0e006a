import type { RecoverySettings } from '../detection-settings.ts';
import { holdProof } from '../fence/hold-proof.ts';
import { waitFor } from '../incident/incident-change.ts';
import type { Incident } from '../incident/incident.ts';
import type { IncidentAction, IncidentFacts, NextSteps } from '../incident/incident-facts.ts';
import { planCleanUp } from './plan-clean-up.ts';
import { planRebuild } from './plan-rebuild.ts';
import { waitForCompute } from './wait-for-compute.ts';

/** Tells the compute system that the host is dead, and keeps it from taking instances. Both may be told again. */
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
  const incident = { ...held.incident, wasEnabled: held.incident.wasEnabled ?? compute.isEnabled };
  if (compute.isForcedDown && !compute.isEnabled) {
    return planRebuild({ ...incident, state: 'rebuilding' }, facts, settings, now);
  }
  if (facts.isPaused) return keepReading(waitFor(incident, 'paused', 'high availability is paused'));
  const cleaning = planCleanUp(incident, settings, now);
  const actions: IncidentAction[] = [...cleaning.actions];
  if (!compute.isForcedDown) actions.push({ kind: 'force-down' });
  if (compute.isEnabled) actions.push({ kind: 'disable', reason: `high availability: incident ${incident.id}` });
  return keepReading(waitFor(cleaning.incident, 'force-down', 'the compute system is told that it is dead', actions));
}
