import { chooseRebuilds, isOverdue } from './choose-rebuilds.ts';
import type { RecoverySettings } from './detection-settings.ts';
import { followInstances } from './follow-instances.ts';
import { holdProof } from './hold-proof.ts';
import { closeIncident, waitFor } from './incident-change.ts';
import type { Incident, RebuildRecord } from './incident.ts';
import type { ComputeFacts, IncidentAction, IncidentFacts, NextSteps } from './incident-facts.ts';

/**
 * Asks for the evacuation of each instance once, as long as the host is known to be off, and follows the records of those
 * that were asked for. It is over when each has an end.
 */
export function planRebuild(
  before: Incident,
  facts: IncidentFacts,
  settings: RecoverySettings,
  now: number,
): NextSteps {
  const { compute } = facts;
  const followed = compute === undefined ? before : followInstances(before, compute, facts.evacuationAnswers, settings);
  if (compute !== undefined && isEveryoneDone(followed.instances)) return settle(followed, now);
  const held = holdProof(followed, facts, settings, now);
  if (held.kind === 'lost') return held.steps;
  const { incident, keepReading } = held;
  if (compute === undefined) {
    return keepReading(waitFor(incident, 'compute-unreachable', 'the compute system cannot be reached'));
  }
  if (!compute.isForcedDown || compute.isEnabled) {
    const message = 'somebody has taken back that it is dead; the compute system is told again';
    return keepReading(waitFor({ ...incident, state: 'forcing-down' }, 'force-down', message));
  }
  if (facts.isPaused) return keepReading(waitFor(incident, 'paused', 'high availability is paused'));
  return keepReading(ask(incident, compute, settings, now));
}

function isEveryoneDone(instances: readonly RebuildRecord[]): boolean {
  return instances.every(({ state }) => state !== 'pending' && state !== 'asked');
}

function settle(incident: Incident, now: number): NextSteps {
  const failed = incident.instances.filter(({ state }) => state === 'failed');
  const rebuilt = incident.instances.filter(({ state }) => state === 'rebuilt').length;
  if (failed.length === 0) return closeIncident(incident, 'recovered', `${rebuilt} instances were rebuilt`, now);
  const names = failed.map(({ name, message }) => `${name}: ${message}`).join('; ');
  return closeIncident(incident, 'failed', `${rebuilt} instances were rebuilt, ${failed.length} not: ${names}`, now);
}

function ask(incident: Incident, compute: ComputeFacts, settings: RecoverySettings, now: number): NextSteps {
  const { chosen, homeless } = chooseRebuilds(incident.instances, compute, settings, now);
  const asked = new Set(chosen);
  const instances = incident.instances.map((record): RebuildRecord => {
    if (homeless.has(record.id)) return { ...record, message: 'no host has room for it' };
    if (!asked.has(record.id)) return withDelay(record, settings, now);
    return { ...record, state: 'asked', asks: record.asks + 1, askedAt: now, message: 'its evacuation is asked for' };
  });
  const actions = chosen.map((instanceId): IncidentAction => ({ kind: 'evacuate', instanceId }));
  const open = instances.filter(({ state }) => state === 'asked').length;
  const next = { ...incident, instances };
  if (open === 0 && homeless.size > 0) {
    return waitFor(next, 'no-room', `no host has room for ${homeless.size} instances; make room`, actions);
  }
  return waitFor(next, 'evacuations', `${open} instances are being rebuilt`, actions);
}

function withDelay(record: RebuildRecord, settings: RecoverySettings, now: number): RebuildRecord {
  if (record.state !== 'asked' || !isOverdue(record, settings, now)) return record;
  return { ...record, message: 'its evacuation takes too long; look at its record in the compute system' };
}
