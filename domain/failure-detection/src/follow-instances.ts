import type { RecoverySettings } from './detection-settings.ts';
import type { Incident, RebuildRecord } from './incident.ts';
import type { ComputeFacts, EvacuationRecord, IncidentFacts, LostInstance, RequestAnswer } from './incident-facts.ts';
import { rebuildability } from './rebuildability.ts';

/** Brings the records of all instances up to what the compute system says, and adds those that have none yet. */
export function followInstances(
  incident: Incident,
  compute: ComputeFacts,
  answers: IncidentFacts['evacuationAnswers'],
  settings: RecoverySettings,
): Incident {
  const oldEvacuations = incident.oldEvacuations ?? overAlready(compute);
  const evacuations = newEvacuations(compute, oldEvacuations);
  const listed = new Map(compute.instances.map((instance) => [instance.id, instance]));
  const known = new Set(incident.instances.map(({ id }) => id));
  const added = compute.instances.filter(({ id }) => !known.has(id)).map(newRecord);
  const instances = [...incident.instances, ...added].map((record) =>
    follow(record, {
      evacuation: evacuations.get(record.id),
      instance: listed.get(record.id),
      answer: answers.get(record.id),
      listedAt: compute.at,
      settings,
    }),
  );
  return { ...incident, oldEvacuations, instances };
}

/** What was over before we began says nothing about us; no clocks are compared. */
function overAlready({ evacuations }: ComputeFacts): readonly string[] {
  return evacuations.filter(({ state }) => state !== 'open').map(({ id }) => id);
}

/** The evacuation that counts for each instance: an open one before one that is over, else the last one listed. */
function newEvacuations({ evacuations }: ComputeFacts, old: readonly string[]): ReadonlyMap<string, EvacuationRecord> {
  const passed = new Set(old);
  const found = new Map<string, EvacuationRecord>();
  for (const evacuation of evacuations) {
    if (passed.has(evacuation.id) || found.get(evacuation.instanceId)?.state === 'open') continue;
    found.set(evacuation.instanceId, evacuation);
  }
  return found;
}

function newRecord({ id, name, priority }: LostInstance): RebuildRecord {
  return {
    id,
    name,
    priority,
    state: 'pending',
    asks: 0,
    askedAt: undefined,
    evacuationId: undefined,
    message: 'it waits for its turn',
  };
}

interface InstanceNews {
  readonly evacuation: EvacuationRecord | undefined;
  readonly instance: LostInstance | undefined;
  readonly answer: RequestAnswer | undefined;
  readonly listedAt: number;
  readonly settings: RecoverySettings;
}

function follow(record: RebuildRecord, news: InstanceNews): RebuildRecord {
  switch (record.state) {
    case 'rebuilt':
    case 'gone':
    case 'skipped':
    case 'failed':
      return record;
    case 'pending':
      return news.evacuation === undefined
        ? followPending(record, news)
        : followRecord(record, news.evacuation, news.listedAt);
    case 'asked':
      return news.evacuation === undefined
        ? followAsked(record, news)
        : followRecord(record, news.evacuation, news.listedAt);
  }
}

/** The record of the evacuation is the only word on its end, whoever asked for it. */
function followRecord(
  record: RebuildRecord,
  { id, state, message }: EvacuationRecord,
  listedAt: number,
): RebuildRecord {
  const evacuationId = id;
  switch (state) {
    case 'open':
      return {
        ...record,
        evacuationId,
        state: 'asked',
        askedAt: record.askedAt ?? listedAt,
        message: 'it is being rebuilt',
      };
    case 'done':
      return { ...record, evacuationId, state: 'rebuilt', message: 'it was rebuilt' };
    case 'failed':
      return { ...record, evacuationId, state: 'failed', message: `its evacuation failed: ${message}` };
  }
}

function followPending(record: RebuildRecord, { instance }: InstanceNews): RebuildRecord {
  if (instance === undefined) return { ...record, state: 'gone', message: 'it is not on the host any more' };
  const how = rebuildability(instance);
  switch (how.kind) {
    case 'yes':
      return { ...record, priority: instance.priority };
    case 'skip':
      return { ...record, state: 'skipped', message: how.message };
    case 'no':
      return { ...record, state: 'failed', message: how.message };
  }
}

/**
 * Asked for, and there is no record. A compute system makes the record before it answers, so a list that was read long
 * after the request shows that it never arrived; only then may it be made again.
 */
function followAsked(record: RebuildRecord, news: InstanceNews): RebuildRecord {
  const { answer, listedAt, settings } = news;
  if (record.evacuationId !== undefined) return { ...record, message: 'the record of its evacuation is not listed' };
  if (answer?.kind === 'refused') return { ...record, state: 'failed', message: answer.message };
  const isLost = listedAt - (record.askedAt ?? listedAt) >= settings.graceMs;
  if (answer?.kind !== 'not-done' && !isLost) return record;
  const message = answer?.kind === 'not-done' ? answer.message : 'nothing is known of the request';
  if (record.asks >= settings.maximumAsks) {
    return { ...record, state: 'failed', message: `asked for ${record.asks} times; the last time: ${message}` };
  }
  return { ...record, state: 'pending', message: `${message}; it is asked for again` };
}
