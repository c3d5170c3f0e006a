import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { openStore } from './store.ts';

const RESOURCE = 'machines.example.dev';
const KILLS = 20;
const WRITER = join(import.meta.dirname, 'fixtures/write-until-killed.ts');

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kill-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

it('loses no durable write and repeats no event, however often it is killed', { timeout: 60_000 }, async () => {
  const path = join(directory, 'store.db');
  const durable = new Map<number, string>();
  const seen: number[] = [];
  const kinds = new Map<number, string>();

  for (let round = 1; round <= KILLS; round++) {
    const before = seen.at(-1) ?? 0;
    const lines = await writeAndKill(path, round);
    resume(path, seen, kinds);
    const told = lines.filter(([what]) => what === 'event');
    expect(lines[0]).toEqual(['open', String(before)]);
    expect(told.map(([, resourceVersion]) => kinds.get(Number(resourceVersion)))).toEqual(told.map(summary));
    for (const [what, resourceVersion, key = ''] of lines) {
      if (what === 'durable') durable.set(Number(resourceVersion), key);
    }
  }

  expect(durable.size).toBeGreaterThan(KILLS);
  expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => index + 1));
  for (const [resourceVersion, key] of durable) expect(kinds.get(resourceVersion)?.endsWith(key)).toBe(true);
});

/** What a watcher learns that comes back with the last resourceVersion it has seen. */
function resume(path: string, seen: number[], kinds: Map<number, string>): void {
  const history = { maxEvents: 1_000_000, maxBytes: 1_000_000_000 };
  const store = openStore({ path, now: Date.now, history, onListenerError: rethrow });
  for (const event of store.eventsAfter(RESOURCE, seen.at(-1) ?? 0) ?? []) {
    seen.push(event.resourceVersion);
    kinds.set(event.resourceVersion, `${event.type} ${event.object.key}`);
    expect(event.object.value['metadata']).toMatchObject({ resourceVersion: String(event.resourceVersion) });
  }
  expect(seen.at(-1)).toBe(store.resourceVersion);
  store.close();
}

function summary([, , type, key]: readonly string[]): string {
  return `${type} ${key}`;
}

async function writeAndKill(path: string, round: number): Promise<readonly (readonly string[])[]> {
  const child = spawn(process.execPath, [WRITER, path, String(round)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child.stdout, 'data');
  await delay((round * 37) % 61);
  child.kill('SIGKILL');
  await once(child, 'close');
  // The last line may have been cut off in the middle.
  const complete = output.slice(0, output.lastIndexOf('\n'));
  return complete.split('\n').map((line) => line.split(' '));
}

function rethrow(error: unknown): void {
  throw error;
}
