import type { Incident, OffProof } from '@smalt/failure-detection';

import type { StoredDecision, StoredJournalEntry } from '../ports/incident-store.ts';
import { timeOf } from './shown-time.ts';

/** An incident as the API shows it: the same words as in the record, times for people. */
export function incidentView(incident: Incident): Readonly<Record<string, unknown>> {
  const { openedAt, closedAt, lastLifeAt, proof, fences, readings, wait, outcome } = incident;
  return {
    id: incident.id,
    host: incident.host,
    state: incident.state,
    openedAt: timeOf(openedAt),
    closedAt: timeOf(closedAt),
    bootId: incident.bootId ?? null,
    condemnedBy: incident.condemnedBy,
    lastLifeAt: timeOf(lastLifeAt),
    wait: wait ?? null,
    needsPerson: wait?.needsPerson ?? false,
    outcome: outcome ?? null,
    fenceMethods: incident.fenceMethods,
    fences: fences.map(({ level, askedAt, answer }) => ({
      method: incident.fenceMethods[level] ?? `level ${level}`,
      askedAt: timeOf(askedAt),
      answer: answer ?? null,
    })),
    readings: readings.map(({ at, level, power, message }) => ({
      at: timeOf(at),
      method: incident.fenceMethods[level] ?? `level ${level}`,
      power,
      message: message ?? null,
    })),
    proof: proof === undefined ? null : proofView(proof),
    instances: counts(incident),
  };
}

function proofView(proof: OffProof): Readonly<Record<string, unknown>> {
  const since = timeOf(proof.since);
  return proof.kind === 'person'
    ? { kind: proof.kind, since, by: proof.by, note: proof.note }
    : { kind: proof.kind, since, readings: proof.readings.length };
}

/** How many instances are in each state. */
function counts({ instances }: Incident): Readonly<Record<string, number>> {
  const states: Record<string, number> = {};
  for (const { state } of instances) states[state] = (states[state] ?? 0) + 1;
  return states;
}

export function journalView(entry: StoredJournalEntry): Readonly<Record<string, unknown>> {
  const { id, at, kind, severity, host, incidentId, instanceId, message, by } = entry;
  return {
    id,
    at: timeOf(at),
    kind,
    severity,
    host: host ?? null,
    incidentId: incidentId ?? null,
    instanceId: instanceId ?? null,
    message,
    by: by ?? null,
  };
}

export function decisionView({ kind, by, at, note }: StoredDecision): Readonly<Record<string, unknown>> {
  return { kind, by, at: timeOf(at), note };
}
