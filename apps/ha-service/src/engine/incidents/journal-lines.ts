import { isOver, type Incident, type RebuildRecord } from '@smalt/failure-detection';

import { JournalKind, type JournalEntry } from '../../ports/incident-store.ts';

type Line = Pick<JournalEntry, 'kind' | 'severity' | 'message'> & { readonly instanceId?: string };

/** What is told of an incident that is about to be stored for the first time. */
export function openingLines(incident: Incident): readonly JournalEntry[] {
  const message = `${incident.host} is condemned by ${incident.condemnedBy.join(', ')}`;
  return entriesOf(incident, incident.openedAt, [{ kind: JournalKind.incidentOpened, severity: 'critical', message }]);
}

/** What is told of an incident that has gone on: every order, every proof, every instance, and why it waits. */
export function changeLines(before: Incident, after: Incident, at: number): readonly JournalEntry[] {
  return entriesOf(after, at, [
    ...fenceLines(before, after),
    ...readingLines(before, after),
    ...proofLines(before, after),
    ...stateLines(before, after),
    ...instanceLines(before, after),
    ...waitLines(before, after),
  ]);
}

function entriesOf({ host, id }: Incident, at: number, lines: readonly Line[]): readonly JournalEntry[] {
  return lines.map((line) => ({ instanceId: undefined, ...line, at, host, incidentId: id, by: undefined }));
}

function fenceLines(before: Incident, after: Incident): readonly Line[] {
  return after.fences.flatMap(({ level, answer }, index): readonly Line[] => {
    const method = after.fenceMethods[level] ?? `method ${level}`;
    const old = before.fences[index];
    const order: Line = {
      kind: JournalKind.fence,
      severity: 'warning',
      message: `${after.host} is told to power off by ${method}`,
    };
    const told: Line = {
      kind: JournalKind.fence,
      severity: 'info',
      message: `${after.host} by ${method}: ${answer ?? ''}`,
    };
    return [...(old === undefined ? [order] : []), ...(answer !== undefined && answer !== old?.answer ? [told] : [])];
  });
}

function readingLines(before: Incident, after: Incident): readonly Line[] {
  const last = after.readings.at(-1);
  if (last === undefined || last.power === before.readings.at(-1)?.power) return [];
  const method = after.fenceMethods[last.level] ?? `method ${last.level}`;
  const detail = last.message === undefined ? '' : ` (${last.message})`;
  const severity = last.power === 'off' ? 'info' : 'warning';
  return [
    {
      kind: JournalKind.fence,
      severity,
      message: `the power of ${after.host} reads ${last.power} by ${method}${detail}`,
    },
  ];
}

function proofLines(before: Incident, { host, proof, fenceMethods }: Incident): readonly Line[] {
  if (proof === undefined || proof.since === before.proof?.since) return [];
  const method = proof.kind === 'readings' ? (fenceMethods[proof.readings[0]?.level ?? 0] ?? '') : '';
  const how =
    proof.kind === 'readings'
      ? `${proof.readings.length} readings by ${method}`
      : `the word of ${proof.by}: ${proof.note}`;
  return [{ kind: JournalKind.fence, severity: 'info', message: `${host} is proved to be off by ${how}` }];
}

function stateLines(before: Incident, after: Incident): readonly Line[] {
  if (before.state === after.state) return [];
  if (!isOver(after)) {
    const message = `the incident of ${after.host} goes from ${before.state} to ${after.state}`;
    return [{ kind: JournalKind.incidentStep, severity: 'info', message }];
  }
  const severity = after.state === 'failed' ? 'critical' : after.state === 'closed' ? 'warning' : 'info';
  const message = `the incident of ${after.host} is over as ${after.state}: ${after.outcome ?? ''}`;
  return [{ kind: JournalKind.incidentOver, severity, message }];
}

function instanceLines(before: Incident, after: Incident): readonly Line[] {
  const old = new Map(before.instances.map((record) => [record.id, record]));
  return after.instances.filter((record) => isNews(old.get(record.id), record)).map(instanceLine);
}

function isNews(old: RebuildRecord | undefined, { state, asks, putOff }: RebuildRecord): boolean {
  if (old === undefined) return state !== 'pending';
  return old.state !== state || old.asks !== asks || old.putOff?.state !== putOff?.state;
}

function instanceLine({ id, name, state, message }: RebuildRecord): Line {
  const severity = state === 'failed' ? 'critical' : 'info';
  return { kind: JournalKind.rebuild, severity, instanceId: id, message: `${name}: ${message}` };
}

function waitLines(before: Incident, { host, wait }: Incident): readonly Line[] {
  if (wait === undefined || (wait.reason === before.wait?.reason && wait.needsPerson === before.wait.needsPerson)) {
    return [];
  }
  const severity = wait.needsPerson ? 'critical' : 'info';
  return [{ kind: JournalKind.incidentWaits, severity, message: `${host} (${wait.reason}): ${wait.message}` }];
}
