import type { RecoverySettings } from './detection-settings.ts';
import { waitFor } from './incident-change.ts';
import type { Incident } from './incident.ts';
import type { NextSteps } from './incident-facts.ts';
import { contradiction, isProofFresh, proveOff } from './prove-off.ts';
import { readPower } from './read-power.ts';

/** Whether the host is known to be off at this moment; if not, what to do about that. */
export type HeldProof =
  | { readonly kind: 'held'; readonly incident: Incident; readonly keepReading: (steps: NextSteps) => NextSteps }
  | { readonly kind: 'lost'; readonly steps: NextSteps };

/** Looks at the proof again before anything is built on it. What contradicts it stops everything until a person speaks. */
export function holdProof(before: Incident, settings: RecoverySettings, now: number): HeldProof {
  const incident = renewed(before, settings);
  const objection = contradiction(incident);
  if (objection !== undefined) {
    const message = `${objection}; nothing more is rebuilt until a person confirms that it is off`;
    return { kind: 'lost', steps: waitFor(incident, 'contradiction', message) };
  }
  const keepReading = (steps: NextSteps, intervalMs: number): NextSteps => {
    const level = incident.readings.at(-1)?.level ?? 0;
    if (incident.proof?.kind !== 'readings') return steps;
    return readPower(steps, { level, intervalMs, timeoutMs: settings.readTimeoutMs, now });
  };
  if (!isProofFresh(incident, settings.proofValidMs, now)) {
    const steps = waitFor(incident, 'stale-proof', 'its power was last read too long ago; it is read again');
    return { kind: 'lost', steps: keepReading(steps, settings.readIntervalMs) };
  }
  return { kind: 'held', incident, keepReading: (steps) => keepReading(steps, settings.slowReadIntervalMs) };
}

/** A person's word that is newer than what contradicted the proof takes its place. */
function renewed(incident: Incident, settings: RecoverySettings): Incident {
  if (contradiction(incident) === undefined) return incident;
  const proof = proveOff(incident, settings);
  return proof?.kind === 'person' ? { ...incident, proof } : incident;
}
