import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { openOutbox } from './open-outbox.ts';
import { firstOf, type OutboxEntry } from './outbox-entry.ts';

const KILLS = 15;
const WRITER = fileURLToPath(new URL('fixtures/append-until-killed.ts', import.meta.url));

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'outbox-kill-'));
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

it.each([
  { why: 'with room for all', maxItems: 100_000 },
  { why: 'when it is full', maxItems: 20 },
])('gives no number twice and loses none, however often it is killed, $why', { timeout: 120_000 }, async (limits) => {
  const durable = new Map<number, string>();
  const epochs = new Set<string>();
  let [acknowledged, last] = [0, 0];

  for (let seed = 1; seed <= KILLS; seed++) {
    const told = await runUntilKilled(seed, limits.maxItems);
    epochs.add(told.epoch);
    expect(told.last).toBeGreaterThanOrEqual(last);
    for (const [number, body] of told.durable) {
      expect(durable.has(number)).toBe(false);
      durable.set(number, body);
    }
    acknowledged = Math.max(acknowledged, told.acknowledged);
    const { entries, lastSequence } = await readAll();
    last = lastSequence;

    expect(holesIn(entries)).toEqual([]);
    expect(last).toBeGreaterThanOrEqual(Math.max(...durable.keys()));
    const kept = new Map(entries.flatMap((entry) => (entry.kind === 'item' ? [[entry.sequence, entry.body]] : [])));
    const missing = Array.from(durable).filter(
      ([number, body]) => number > acknowledged && !isThere(entries, kept.get(number), number, body),
    );
    expect(missing).toEqual([]);
  }

  expect(epochs.size).toBe(1);
  expect(durable.size).toBeGreaterThan(KILLS);
});

function isThere(entries: readonly OutboxEntry[], body: unknown, number: number, expected: string): boolean {
  if (typeof body === 'string') return body.startsWith(`${expected} `);
  return entries.some(({ kind, ...entry }) => {
    return kind === 'gap' && 'firstSequence' in entry && entry.firstSequence <= number && number <= entry.sequence;
  });
}

function holesIn(entries: readonly OutboxEntry[]): readonly number[] {
  return entries.slice(1).flatMap((entry, index) => {
    const expected = (entries[index]?.sequence ?? 0) + 1;
    return firstOf(entry) === expected ? [] : [expected];
  });
}

async function readAll() {
  await using outbox = await openOutbox({ directory, maxItems: 1e6, now: () => new Date(), onNotice: () => undefined });
  return { entries: outbox.peek({ items: 1e6, bytes: 1e9 }), lastSequence: outbox.lastSequence };
}

/** Kills the writer after so many lines that it may be anywhere in what it does. */
async function runUntilKilled(seed: number, maxItems: number) {
  const child = spawn(process.execPath, [WRITER, directory, String(seed), String(maxItems)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const told = { epoch: '', last: 0, acknowledged: 0, durable: new Map<number, string>() };
  const killAfter = 1 + ((seed * 37) % 150);
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (++count === killAfter) child.kill('SIGKILL');
    const [word = '', first = '', second = ''] = line.split(' ');
    if (word === 'open') [told.epoch, told.last] = [first, Number(second)];
    if (word === 'durable' && second !== '') told.durable.set(Number(first), second);
    if (word === 'acknowledged') told.acknowledged = Number(first);
  }
  await exited;
  return told;
}
