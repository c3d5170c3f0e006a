import { isOver, type Incident, type OffProof, type PowerReading, type RebuildRecord } from './incident.ts';
import { contradiction } from '../fence/prove-off.ts';
import { orderedLevels } from '../fence/row-of-off.ts';

/**
 * Takes over an incident from another run, whose clock may have been another one. The order of what happened stays, the
 * newest of it is taken for now, and what was under way is waited for from now on. Nothing that was read before counts as
 * fresh, so a proof needs another reading before anything is built on it.
 */
export function adoptIncident(before: Incident, now: number): Incident {
  if (isOver(before)) return before;
  const incident = withProofFromLife(shifted(before, now - newestTime(before)));
  const { fences, lastLifeAt, cleanUp } = incident;
  return {
    ...incident,
    revision: before.revision + 1,
    adoptedAt: now,
    openedAt: Math.min(before.openedAt, now),
    // Life that is younger than the last one that was known is life after the first order, and after a word.
    fences: fences.map((fence, index) =>
      index === 0 ? { ...fence, askedAt: Math.min(fence.askedAt, lastLifeAt ?? fence.askedAt) } : fence,
    ),
    words: incident.words?.map((word) => {
      return { ...word, at: Math.min(word.at, lastLifeAt ?? word.at), isOfAnotherRun: true };
    }),
    readings: [...incident.readings, ...takeovers(incident, now)],
    readAskedAt: undefined,
    instances: incident.instances.map((record) => adoptRecord(record, now)),
    cleanUp: cleanUp && { ...cleanUp, since: now, askedAt: undefined },
    reserved: incident.reserved?.map((use) => ({ ...use, since: now, askedAt: undefined })),
  };
}

function newestTime({ openedAt, lastLifeAt, readAskedAt, proof, lifeSign, ...incident }: Incident): number {
  const { fences, readings, words = [] } = incident;
  const noted = [...fences.map(({ askedAt }) => askedAt), ...[...readings, ...words].map(({ at }) => at)];
  const rest = [lastLifeAt, readAskedAt, proof?.since, lifeSign?.seenAt].filter((at) => at !== undefined);
  return Math.max(openedAt, ...noted, ...rest);
}

function shifted(incident: Incident, shiftMs: number): Incident {
  const { proof, lastLifeAt, lifeSign } = incident;
  return {
    ...incident,
    fences: incident.fences.map((fence) => ({ ...fence, askedAt: fence.askedAt + shiftMs })),
    readings: incident.readings.map((reading) => ({ ...reading, at: reading.at + shiftMs })),
    lastLifeAt: lastLifeAt === undefined ? undefined : lastLifeAt + shiftMs,
    ...(lifeSign !== undefined && { lifeSign: { ...lifeSign, seenAt: lifeSign.seenAt + shiftMs } }),
    proof: proof && { ...proof, since: proof.since + shiftMs },
    words: incident.words?.map((word) => ({ ...word, at: word.at + shiftMs })),
    instances: incident.instances.map((record) => shiftedRecord(record, shiftMs)),
  };
}

function shiftedRecord(record: RebuildRecord, shiftMs: number): RebuildRecord {
  const { passesSince, askedAt } = record;
  return {
    ...record,
    ...(passesSince !== undefined && { passesSince: passesSince + shiftMs }),
    ...(askedAt !== undefined && isAwaited(record) && { askedAt: askedAt + shiftMs }),
  };
}

/** Nobody was asked for it, so nothing is under way that could have to be waited for anew. */
function isAwaited({ asks, evacuationId }: RebuildRecord): boolean {
  return asks === 0 && evacuationId === undefined;
}

/**
 * How long ago the last sign of life was is known again from the store, but not how long ago the proof was made. So a
 * proof that stands is taken for as old as the last life that it knew: any younger one contradicts it.
 */
function withProofFromLife(incident: Incident): Incident {
  const { proof, lastLifeAt, readings, lifeSign } = incident;
  if (proof === undefined || contradiction(incident) !== undefined) return incident;
  const since = Math.min(proof.since, lastLifeAt ?? proof.since);
  const moved: OffProof = { ...proof, since };
  const sign = lifeSign && { ...lifeSign, seenAt: Math.min(lifeSign.seenAt, since) };
  const kept = readings.filter(({ at }) => at >= proof.since);
  return { ...incident, proof: moved, readings: kept, ...(sign !== undefined && { lifeSign: sign }) };
}

/** A reading may have been under way, and nobody will ever know what it said: so a row does not go on. */
function takeovers(incident: Incident, now: number): readonly PowerReading[] {
  const lost = { at: now, session: `adopted-${now}`, power: 'unknown', isLost: true } as const;
  return orderedLevels(incident).map((level) => ({ ...lost, level, message: 'another run took over' }));
}

function adoptRecord(record: RebuildRecord, now: number): RebuildRecord {
  const atMostNow = (at: number | undefined): number | undefined => (at === undefined ? undefined : Math.min(at, now));
  return {
    ...record,
    askedAt: record.askedAt === undefined || isAwaited(record) ? atMostNow(record.askedAt) : now,
    retryAfter: record.retryAfter === undefined ? undefined : now,
    startedAt: atMostNow(record.startedAt),
    endedAt: atMostNow(record.endedAt),
    ...(record.passesSince !== undefined && { passesSince: atMostNow(record.passesSince) }),
    ...(record.putOff && { putOff: { ...record.putOff, askedAt: undefined } }),
  };
}
