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
  facts: Pick<IncidentFacts, 'judgement' | 'watchedSince'>,
  settings: RecoverySettings,
  now: number,
): HeldProof {
  const incident = renewed(before, facts, settings, now);
  const objection = contradiction(incident);
  if (objection !== undefined) {
    const message = `${objection}; nothing more is rebuilt until a person confirms that it is off`;
    return { kind: 'lost', steps: waitFor(incident, 'contradiction', message) };
  }
  const keepReading = (steps: NextSteps, intervalMs: number): NextSteps => {
    if (incident.proof?.kind !== 'readings') return steps;
    return readPower(steps, { level: nextInTurn(incident), intervalMs, timeoutMs: settings.readTimeoutMs, now });
  };
  if (facts.judgement?.kind === 'alive') {
    const message = `${facts.judgement.by} shows life of it; nothing more is rebuilt as long as it does`;
    const steps = waitFor(incident, 'contradiction', message);
    return { kind: 'lost', steps: keepReading(steps, settings.readIntervalMs) };
  }
  if (!isProofFresh(incident, facts, settings, now)) {
    const steps = waitFor(incident, 'stale-proof', staleness(incident, settings));
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

function staleness({ proof }: Incident, { proofValidMs }: RecoverySettings): string {
  if (proof?.kind !== 'person')
    return 'its power was last read too long ago; it is read again, or confirm that it is off';
  const seconds = proofValidMs / 1000;
  return `${proof.by} has said that it is off, but it was not watched all the time since; it goes on when it was for ${seconds} s, or confirm it again`;
}

/** A person's word that is newer than what contradicted the proof, or made it old, takes its place. */
function renewed(
  incident: Incident,
  facts: Pick<IncidentFacts, 'judgement' | 'watchedSince'>,
  settings: RecoverySettings,
  now: number,
): Incident {
  if (contradiction(incident) === undefined && isProofFresh(incident, facts, settings, now)) return incident;
  const proof = proveOff(incident, facts.judgement, settings, now);
  return proof?.kind === 'person' ? { ...incident, proof } : incident;
}
