import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parseBatch, type TelemetryBatch } from '@smalt/ha-telemetry';
import { openOutbox } from '@smalt/outbox';
import { createLogger, MetricsRegistry } from '@smalt/service-runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { declareHaMetrics } from './ha-metrics.ts';
import type { PushResult } from './push-result.ts';
import { Pusher } from './pusher.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ha-pusher-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

describe('a pusher', () => {
  it('begins a new epoch when the service knows numbers that were never given, and loses nothing', async () => {
    const batches = await pushAll(3, ({ epoch, lastSequence }, index) => {
      return { kind: 'taken', epoch, acknowledged: index === 0 ? 500 : lastSequence };
    });

    expect(batches.map(numbers)).toEqual(['1-3', '1-3']);
    expect(batches[0]?.epoch).not.toBe(batches[1]?.epoch);
  });

  it('finds the one record that is refused among many by sending fewer at a time', async () => {
    const batches = await pushAll(8, ({ epoch, lastSequence, records }) => {
      const isBad = records.some(({ sequence, kind }) => sequence === 6 && kind === 'reboot');
      return isBad ? { kind: 'refused', why: 'no' } : { kind: 'taken', epoch, acknowledged: lastSequence };
    });

    expect(batches.at(-1)?.lastSequence).toBe(8);
    expect(batches.flatMap(({ records }) => records).filter(({ kind }) => kind === 'gap')).toMatchObject([
      { firstSequence: 6, sequence: 6, reason: 'refused' },
    ]);
    expect(batches.length).toBeLessThan(12);
  });

  it('sends no more than a batch may have', async () => {
    const batches = await pushAll(1200, ({ epoch, lastSequence }) => ({
      kind: 'taken',
      epoch,
      acknowledged: lastSequence,
    }));

    expect(batches.map(numbers)).toEqual(['1-500', '501-1000', '1001-1200']);
  });
});

/** Pushes so many records to a service that answers as told, until none is left. */
async function pushAll(
  count: number,
  answer: (batch: TelemetryBatch, index: number) => PushResult,
): Promise<readonly TelemetryBatch[]> {
  await using outbox = await openOutbox({ directory, now: () => new Date(), onNotice: () => undefined });
  const domain = { uuid: '6f1c2a4e-7f6b-4a0a-9d4e-3d2c1b0a9f8e', name: 'web' };
  const body = JSON.stringify({ kind: 'reboot', domain, time: '2026-01-02T03:04:05.678Z' });
  await outbox.append(Array.from({ length: count }, () => ({ body })));
  const batches: TelemetryBatch[] = [];
  const stopping = new AbortController();
  const pusher = new Pusher({
    outbox,
    link: {
      push: async (text) => {
        const batch = parseBatch(JSON.parse(text));
        batches.push(batch);
        return answer(batch, batches.length - 1);
      },
    },
    head: { node: 'n1', agent: 'a1' },
    metrics: declareHaMetrics(new MetricsRegistry()),
    logger: createLogger({ name: 'test', level: 'silent', destination: { write: () => undefined } }),
    now: () => new Date(),
    random: () => 0,
    onPushed: () => {
      if (outbox.state.oldestAt === undefined) stopping.abort();
    },
  });
  await pusher.run(stopping.signal, AbortSignal.timeout(20_000));
  return batches;
}

function numbers({ firstSequence, lastSequence }: TelemetryBatch): string {
  return `${firstSequence}-${lastSequence}`;
}
