import type { Session, StoreRow } from '@smalt/store';

import type { ArrivedBatch } from '../ports/telemetry-store.ts';
import type { HaSchema } from './ha-schema.ts';
import { keyOf, planAccept, type AcceptPlan, type BootFacts } from './plan-accept.ts';
import { lossEntry } from './loss-entry.ts';
import { readStoredSignals, writeSignalChanges } from './signal-rows.ts';
import { appendEntries } from './sql-journal-store.ts';
import { advance, type OwnClock, type StoreTime } from './store-time.ts';
import {
  readCursors,
  readReports,
  writeCursors,
  writeEvents,
  writeInstanceLists,
  writeReports,
} from './telemetry-statements.ts';

type HaSession = Session<HaSchema>;

/** Stores batches in one transaction; tells the number that is acknowledged for each, which events were new, and which are lost. */
export async function acceptBatches(
  session: HaSession,
  batches: readonly ArrivedBatch[],
  clock: OwnClock,
): Promise<Pick<AcceptPlan, 'acknowledged' | 'events' | 'losses'>> {
  const time = await advance(session, clock);
  const hosts = [...new Set(batches.map(({ batch }) => batch.node))];
  const cursors = await session.bulk(
    readCursors,
    batches.map(({ batch }) => [batch.node, batch.epoch]),
  );
  const reports = await session.bulk(
    readReports,
    hosts.map((host) => [host]),
  );
  const signals = await readStoredSignals(
    session,
    hosts.flatMap((host) => [
      [host, 'agent'],
      [host, 'libvirt'],
    ]),
  );
  const state = {
    cursors: new Map(cursors.map((row) => [keyOf(String(row['host']), String(row['epoch'])), Number(row['number'])])),
    reports: new Map(reports.map((row) => [String(row['host']), toFacts(row)])),
    signals,
  };
  const plan = planAccept(batches, state, time);
  await writePlan(session, plan, time);
  const at = clock.now();
  const lines = plan.losses.map((loss) => lossEntry(loss, at));
  await appendEntries(session, lines, time);
  return plan;
}

async function writePlan(session: HaSession, plan: AcceptPlan, { tick, now }: StoreTime): Promise<void> {
  await session.bulk(
    writeCursors,
    plan.cursors.map(({ host, epoch, number }) => [host, epoch, number, now]),
  );
  await writeSignalChanges(session, plan.signals, tick);
  await session.bulk(
    writeReports,
    plan.reports.map((facts) => [
      facts.host,
      facts.previousBootId,
      facts.previousUptime,
      facts.latestBootId,
      facts.latestUptime,
      facts.instances,
      tick,
    ]),
  );
  await session.bulk(
    writeInstanceLists,
    plan.instanceLists.map(({ host, content, time }) => [host, content, time]),
  );
  await session.bulk(
    writeEvents,
    plan.events.map(({ host, epoch, number, content, time }, place) => [
      place,
      host,
      epoch,
      number,
      content,
      time,
      now,
    ]),
  );
}

function toFacts(row: StoreRow): BootFacts {
  return {
    previousBootId: textOf(row['previous_boot_id']),
    previousUptime: numberOf(row['previous_uptime']),
    latestBootId: textOf(row['latest_boot_id']),
    latestUptime: numberOf(row['latest_uptime']),
    instances: numberOf(row['instances']),
  };
}

function textOf(value: StoreRow[string] | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: StoreRow[string] | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
