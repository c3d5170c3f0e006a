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
      return isBad ? { kind: 'refused', epoch, why: 'no' } : { kind: 'taken', epoch, acknowledged: lastSequence };
    });

    expect(batches.at(-1)?.lastSequence).toBe(8);
    expect(batches.flatMap(({ records }) => records).filter(({ kind }) => kind === 'gap')).toMatchObject([
      { firstSequence: 6, sequence: 6, reason: 'refused' },
    ]);
    expect(batches.length).toBeLessThan(12);
  });

  it('sends what a service claims to have and was never sent', async () => {
    const got = new Set<string>();
    const batches = await pushAll(1200, ({ epoch, lastSequence, records }, index) => {
      if (index > 0) for (const { sequence } of records) got.add(`${epoch} ${sequence}`);
      return { kind: 'taken', epoch, acknowledged: index === 0 ? 1100 : lastSequence };
    });

    expect(batches.map(numbers)).toEqual(['1-500', '1-500', '501-1000', '1001-1200']);
    expect(got.size).toBe(1200);
  });

  it('gets over many refused records that stand among others', async () => {
    const batches = await pushAll(60, ({ epoch, lastSequence, records }) => {
      const bad = records.find(({ sequence, kind }) => sequence % 3 === 0 && kind === 'reboot');
      return bad
        ? { kind: 'refused', epoch, why: 'no', sequence: bad.sequence }
        : { kind: 'taken', epoch, acknowledged: lastSequence };
    });

    expect(batches.at(-1)?.lastSequence).toBe(60);
  });

  it.each([
    { answer: 'by their number', isNamed: true },
    { answer: 'without saying which', isNamed: false },
  ])('keeps its records when a service refuses all of them $answer', async ({ isNamed }) => {
    await using world = await openWorld(43, ({ epoch, firstSequence, records }) => {
      const sequence = isNamed ? (records.find(({ kind }) => kind !== 'gap')?.sequence ?? firstSequence) : undefined;
      return { kind: 'refused', epoch, why: 'no', sequence };
    });

    await world.pushUntil(({ outage }) => outage !== undefined);

    expect(world.outbox.state.items).toBe(33);
    expect(world.pusher.outage).toMatchObject({ failure: 'refused' });
    expect(world.pusher.hasDelivered).toBe(false);
  });

  it('leaves a service alone for a while that knows too much of every epoch', async () => {
    await using world = await openWorld(3, ({ epoch }) => ({ kind: 'taken', epoch, acknowledged: 1e15 }));

    await world.pushUntil(({ outage }) => outage !== undefined);

    expect(new Set(world.batches.map(({ epoch }) => epoch)).size).toBe(2);
    expect(world.batches).toHaveLength(3);
    expect(world.outbox.state.items).toBe(3);
  });

  it('sends fewer at a time to a proxy that finds a batch too large', async () => {
    await using world = await openWorld(8, ({ epoch, lastSequence, records }) =>
      records.length > 2
        ? { kind: 'failed', failure: 'too-large', why: 'it answered 413' }
        : { kind: 'taken', epoch, acknowledged: lastSequence },
    );

    await world.pushUntil(({ hasDelivered }) => hasDelivered);

    expect(world.batches.map(numbers)).toEqual(['1-8', '1-4', '1-2']);
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

type Answer = (batch: TelemetryBatch, index: number) => PushResult;

/** Pushes so many records to a service that answers as told, until none is left. */
async function pushAll(count: number, answer: Answer): Promise<readonly TelemetryBatch[]> {
  await using world = await openWorld(count, answer);
  await world.pushUntil(() => world.outbox.state.oldestAt === undefined);
  return world.batches;
}

async function openWorld(count: number, answer: Answer) {
  const outbox = await openOutbox({ directory, now: () => new Date(), onNotice: () => undefined });
  const domain = { uuid: '6f1c2a4e-7f6b-4a0a-9d4e-3d2c1b0a9f8e', name: 'web' };
  const body = JSON.stringify({ kind: 'reboot', domain, time: '2026-01-02T03:04:05.678Z' });
  await outbox.append(Array.from({ length: count }, () => ({ body })));
  const batches: TelemetryBatch[] = [];
  const told = new EventTarget();
  const push = async (text: string): Promise<PushResult> => {
    const batch = parseBatch(JSON.parse(text));
    batches.push(batch);
    return answer(batch, batches.length - 1);
  };
  const pusher = new Pusher({
    outbox,
    link: { push },
    head: { node: 'n1', agent: 'a1' },
    metrics: declareHaMetrics(new MetricsRegistry()),
    logger: createLogger({ name: 'test', level: 'silent', destination: { write: () => undefined } }),
    now: () => new Date(),
    random: () => 0,
    onPushed: () => void told.dispatchEvent(new Event('pushed')),
  });
  const pushUntil = async (isSo: (seen: Pusher) => boolean): Promise<void> => {
    const [stopping, deadline] = [new AbortController(), new AbortController()];
    const timer = setTimeout(() => deadline.abort(), 20_000);
    told.addEventListener('pushed', () => {
      if (!isSo(pusher)) return;
      // Both: a batch more, at the end, would not tell what happened until then.
      stopping.abort();
      deadline.abort();
    });
    await pusher.run(stopping.signal, deadline.signal);
    clearTimeout(timer);
  };
  return { outbox, pusher, batches, pushUntil, [Symbol.asyncDispose]: () => outbox[Symbol.asyncDispose]() };
}

function numbers({ firstSequence, lastSequence }: TelemetryBatch): string {
  return `${firstSequence}-${lastSequence}`;
}
