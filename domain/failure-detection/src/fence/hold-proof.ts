import type { RecoverySettings } from '../detection-settings.ts';
import { waitFor } from '../incident/incident-change.ts';
import type { Incident } from '../incident/incident.ts';
import type { IncidentFacts, NextSteps } from '../incident/incident-facts.ts';
import { contradiction, isProofFresh, proveOff } from './prove-off.ts';
import { readPower } from './read-power.ts';
import { orderedLevels } from './row-of-off.ts';

/** Whether the host is known to be off at this moment; if not, what to do about that. */
export type HeldProof =
  | { readonly kind: 'held'; readonly incident: Incident; readonly keepReading: (steps: NextSteps) => NextSteps }
  | { readonly kind: 'lost'; readonly steps: NextSteps };

/** Looks at the proof again before anything is built on it. What contradicts it stops everything until a person speaks. */
export function holdProof(
  before: Incident,
  { judgement }: Pick<IncidentFacts, 'judgement'>,
  settings: RecoverySettings,
  now: number,
): HeldProof {
  const incident = renewed(before, judgement, settings);
  const objection = contradiction(incident);
  if (objection !== undefined) {
    const message = `${objection}; nothing more is rebuilt until a person confirms that it is off`;
    return { kind: 'lost', steps: waitFor(incident, 'contradiction', message) };
  }
  const keepReading = (steps: NextSteps, intervalMs: number): NextSteps => {
    if (incident.proof?.kind !== 'readings') return steps;
    return readPower(steps, { level: nextInTurn(incident), intervalMs, timeoutMs: settings.readTimeoutMs, now });
  };
  if (!isProofFresh(incident, settings.proofValidMs, now)) {
    const steps = waitFor(incident, 'stale-proof', 'its power was last read too long ago; it is read again');
    return { kind: 'lost', steps: keepReading(steps, settings.readIntervalMs) };
  }
  // Each of them as often as if it were the only one.
  const intervalMs = settings.slowReadIntervalMs / Math.max(1, orderedLevels(incident).length);
  return { kind: 'held', incident, keepReading: (steps) => keepReading(steps, intervalMs) };
}

/** All that were told to power it off are read by turns: any of them may see that it is on again. */
function nextInTurn(incident: Incident): number {
  const levels = orderedLevels(incident);
  const last = levels.indexOf(incident.readings.at(-1)?.level ?? 0);
  return levels[(last + 1) % Math.max(1, levels.length)] ?? 0;
}

/** A person's word that is newer than what contradicted the proof takes its place. */
function renewed(incident: Incident, judgement: IncidentFacts['judgement'], settings: RecoverySettings): Incident {
  if (contradiction(incident) === undefined) return incident;
  const proof = proveOff(incident, judgement, settings);
  return proof?.kind === 'person' ? { ...incident, proof } : incident;
}
