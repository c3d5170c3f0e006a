import type { RecoverySettings } from '../detection-settings.ts';
import { followRebuild } from './follow-rebuild.ts';
import { newRebuild } from './new-rebuild.ts';
import type { Incident, RebuildRecord } from '../incident/incident.ts';
import type { ComputeFacts, EvacuationRecord, IncidentFacts, LostInstance } from '../incident/incident-facts.ts';

/** Brings the records of all instances up to what the compute system says, and adds those that have none yet. */
export function followInstances(
  incident: Incident,
  compute: ComputeFacts,
  { evacuationAnswers }: Pick<IncidentFacts, 'evacuationAnswers'>,
  { settings, now }: { readonly settings: RecoverySettings; readonly now: number },
): Incident {
  const oldEvacuations = incident.oldEvacuations ?? overAlready(compute);
  const evacuations = newEvacuations(compute, oldEvacuations, incident.instances);
  const listed = new Map(compute.instances.map((instance) => [instance.id, instance]));
  const left = new Map(compute.left?.map((instance) => [instance.id, instance]));
  const known = new Set(incident.instances.map(({ id }) => id));
  const coming = compute.left?.filter(({ fate }) => fate === 'coming') ?? [];
  const added = [...compute.instances, ...coming].filter(({ id }) => !known.has(id)).map(newRecord);
  const instances = [...incident.instances, ...added].map((record) =>
    followRebuild(record, {
      evacuation: evacuations.get(record.id),
      instance: listed.get(record.id),
      left: left.get(record.id),
      isAutomatic: compute.left !== undefined,
      answer: evacuationAnswers.get(record.id),
      listedAt: compute.at,
      settings,
      now,
    }),
  );
  return { ...incident, oldEvacuations, instances };
}

/** What was over before we began says nothing about us; no clocks are compared. */
function overAlready({ evacuations }: ComputeFacts): readonly string[] {
  return evacuations.filter(({ state }) => state !== 'open').map(({ id }) => id);
}

/** The evacuation that counts for each instance: an open one before one that is over, else the last one listed. */
function newEvacuations(
  { evacuations }: ComputeFacts,
  old: readonly string[],
  records: readonly RebuildRecord[],
): ReadonlyMap<string, EvacuationRecord> {
  const passed = new Set([...old, ...records.flatMap(({ pastEvacuations }) => pastEvacuations)]);
  const found = new Map<string, EvacuationRecord>();
  for (const evacuation of evacuations) {
    if (passed.has(evacuation.id) || found.get(evacuation.instanceId)?.state === 'open') continue;
    found.set(evacuation.instanceId, evacuation);
  }
  return found;
}

function newRecord(lost: LostInstance): RebuildRecord {
  return { ...newRebuild(lost), wasOff: lost.state === 'stopped' };
}
