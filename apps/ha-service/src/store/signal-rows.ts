import type { Session, StoreRow } from '@smalt/store';

import type { SignalTimes } from './apply-sample.ts';
import type { SignalChange, StoredSignals } from './fold-samples.ts';
import type { HaSchema } from './ha-schema.ts';
import { readSignals, writeSignals } from './telemetry-statements.ts';

/** What is stored under some keys of host and source. */
export async function readStoredSignals(
  session: Session<HaSchema>,
  keys: readonly (readonly string[])[],
): Promise<StoredSignals> {
  const stored = new Map<string, Map<string, SignalTimes>>();
  for (const row of await session.bulk(readSignals, keys)) {
    const host = String(row['host']);
    const ofHost = stored.get(host) ?? new Map<string, SignalTimes>();
    stored.set(host, ofHost);
    ofHost.set(String(row['source']), {
      aliveAt: timeOf(row['alive_at']),
      deadSince: timeOf(row['dead_since']),
      deadAt: timeOf(row['dead_at']),
    });
  }
  return stored;
}

export async function writeSignalChanges(
  session: Session<HaSchema>,
  changes: readonly SignalChange[],
  tick: number,
): Promise<void> {
  await session.bulk(
    writeSignals,
    changes.map(({ host, source, aliveAt, deadSince, deadAt }) => [host, source, aliveAt, deadSince, deadAt, tick]),
  );
}

function timeOf(value: StoreRow[string] | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
