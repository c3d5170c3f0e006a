import type { RecoverySettings } from '../detection-settings.ts';
import type { Incident, PutOff, RebuildRecord } from '../incident/incident.ts';
import type { IncidentAction, IncidentFacts } from '../incident/incident-facts.ts';

type PutOffSettings = Pick<RecoverySettings, 'repeatMs' | 'maximumAsks'>;

/** The incident with what is known of instances that are to be put off, and what is asked for now. */
export interface PutOffSteps {
  readonly incident: Incident;
  readonly isOver: boolean;
  readonly actions: readonly IncidentAction[];
}

/**
 * Puts instances off that stood still before and came up running, because a compute system forgets over a failed
 * evacuation what they were. After some orders it is left to a person, and the record says so.
 */
export function putOffAgain(
  incident: Incident,
  answers: IncidentFacts['putOffAnswers'],
  settings: PutOffSettings,
  now: number,
): PutOffSteps {
  const actions: IncidentAction[] = [];
  const instances = incident.instances.map((record) => {
    if (!isToBePutOff(record)) return record;
    const putOff = follow(record.putOff ?? NOT_ASKED, answers?.get(record.id)?.isDone === true, settings, now);
    if (putOff.askedAt === now) actions.push({ kind: 'put-off', instanceId: record.id });
    return putOff === record.putOff ? record : { ...record, putOff, message: sentenceOf(putOff) };
  });
  const isOver = instances.every((record) => !isToBePutOff(record));
  return { incident: { ...incident, instances }, isOver, actions };
}

const NOT_ASKED: PutOff = { state: 'open', asks: 0, askedAt: undefined };

/** One whose first evacuation succeeds stays off by itself. */
function isToBePutOff({ state, wasOff, attempts, putOff }: RebuildRecord): boolean {
  return state === 'rebuilt' && wasOff === true && attempts > 1 && (putOff?.state ?? 'open') === 'open';
}

function follow(putOff: PutOff, isDone: boolean, { repeatMs, maximumAsks }: PutOffSettings, now: number): PutOff {
  if (isDone) return { ...putOff, state: 'done' };
  if (putOff.askedAt !== undefined && now - putOff.askedAt < repeatMs) return putOff;
  if (putOff.asks >= maximumAsks) return { ...putOff, state: 'given-up' };
  return { state: 'open', asks: putOff.asks + 1, askedAt: now };
}

function sentenceOf({ state }: PutOff): string {
  switch (state) {
    case 'open':
      return 'it was rebuilt; it stood still before, so it is put off again';
    case 'done':
      return 'it was rebuilt, and put off again, because it stood still before';
    case 'given-up':
      return 'it was rebuilt and may run though it stood still before; stop it if that is not wanted';
  }
}
