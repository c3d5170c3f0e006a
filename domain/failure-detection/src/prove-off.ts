import type { RecoverySettings } from './detection-settings.ts';
import type { Incident, OffProof, PowerReading } from './incident.ts';

/**
 * The proof that the host is off, if there is one: enough readings of `off` in a row by fresh sessions of one method,
 * all after the order to power off, and no sign of life after the first of them; or a person's word.
 */
export function proveOff(incident: Incident, settings: Pick<RecoverySettings, 'offReadings'>): OffProof | undefined {
  return wordOfPerson(incident) ?? offReadings(incident, settings);
}

function wordOfPerson(incident: Incident): OffProof | undefined {
  const word = incident.words?.at(-1);
  if (word === undefined || livedAfter(incident, word.at)) return undefined;
  return { kind: 'person', since: word.at, by: word.by, note: word.note };
}

function offReadings(incident: Incident, settings: Pick<RecoverySettings, 'offReadings'>): OffProof | undefined {
  const row = lastRow(incident);
  const first = row[0];
  if (first === undefined || row.length < settings.offReadings || livedAfter(incident, first.at)) return undefined;
  return { kind: 'readings', since: first.at, readings: row };
}

/** The readings of `off` since the last one that said anything else. */
function lastRow({ readings, fences }: Incident): readonly PowerReading[] {
  const firstFence = fences[0];
  if (firstFence === undefined) return [];
  const after = readings.filter(({ at }) => at >= firstFence.askedAt);
  const level = after.at(-1)?.level;
  const broken = after.findLastIndex((reading) => reading.power !== 'off' || reading.level !== level);
  const sessions = new Set<string>();
  return after.slice(broken + 1).filter(({ session }) => {
    const isFresh = !sessions.has(session);
    sessions.add(session);
    return isFresh;
  });
}

function livedAfter({ lastLifeAt }: Incident, at: number): boolean {
  return lastLifeAt !== undefined && lastLifeAt > at;
}

/** What speaks against a proof that was good once: a sign of life, or power that is on again. */
export function contradiction(incident: Incident): string | undefined {
  const { proof, readings, lastLifeAt } = incident;
  if (proof === undefined) return undefined;
  if (livedAfter(incident, proof.since)) {
    return `it showed life at ${String(lastLifeAt)}, after it was found to be off at ${proof.since}`;
  }
  const on = readings.findLast(({ at, power }) => at > proof.since && power === 'on');
  return on === undefined
    ? undefined
    : `its power reads on at ${on.at}, after it was found to be off at ${proof.since}`;
}

/** Whether the proof is young enough to act on. A person's word holds until something contradicts it. */
export function isProofFresh({ proof, readings, adoptedAt }: Incident, validMs: number, now: number): boolean {
  if (proof === undefined) return false;
  if (proof.kind === 'person') return true;
  const last = readings.findLast(({ power }) => power !== 'unknown');
  if (last === undefined || last.power !== 'off') return false;
  // What another run has read, or what lies in the future, was read by another clock.
  const isOfThisRun = last.at <= now && (adoptedAt === undefined || last.at >= adoptedAt);
  return isOfThisRun && now - last.at <= validMs;
}
