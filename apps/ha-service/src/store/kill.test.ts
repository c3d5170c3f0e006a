import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { startPostgres } from '@smalt/bed-postgres';
import type { DatabaseLocation } from '@smalt/store';
import { expect, it } from 'vitest';

import { openHaStore } from './open-ha-store.ts';

const WRITER = fileURLToPath(new URL('fixtures/accept-until-killed.ts', import.meta.url));
const { signal } = new AbortController();
const complete: Kept = { wrongNodes: [], hasIncident: true, hasLines: true };

it('a file keeps all that was acknowledged, and nothing twice, however often its owner is killed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'ha-kill-'));
  const location = { kind: 'sqlite', path: join(directory, 'ha.db') } as const;

  for (const [run, lines] of [1, 40, 150, 333, 700].entries()) {
    const told = await writeUntil(location, `run-${run}`, async (writer) => writer.lines(lines));

    expect(await kept(location, `run-${run}`, told)).toEqual(complete);
  }

  await rm(directory, { recursive: true });
}, 120_000);

it('a server that is killed under two replicas keeps all that was acknowledged, and nothing twice', async () => {
  await using server = await startPostgres();
  const location = { kind: 'postgres', url: server.url } as const;

  const killAndGoOn = async (writer: Writer, lines: number): Promise<void> => {
    await writer.lines(lines);
    if (server.isRunning) await server.kill();
    await writer.failure();
    if (!server.isRunning) await server.restart();
    await writer.lines(lines);
  };
  const second = writeUntil(location, 'run-2', async (writer) => {
    await writer.lines(50);
    await writer.failure();
    await writer.lines(50);
  });
  const told = await writeUntil(location, 'run-1', (writer) => killAndGoOn(writer, 120));

  expect(await kept(location, 'run-1', told)).toEqual(complete);
  expect(await kept(location, 'run-2', await second)).toEqual(complete);
}, 120_000);

/** What a writer was told is stored, by its name: the highest number. */
type Told = ReadonlyMap<string, number>;

interface Writer {
  /** Resolves after so many more answers. */
  lines(count: number): Promise<void>;
  /** Resolves when a call has failed. */
  failure(): Promise<void>;
}

async function writeUntil(
  location: DatabaseLocation,
  run: string,
  wait: (writer: Writer) => Promise<unknown>,
): Promise<Told> {
  const child = spawn(process.execPath, [WRITER, JSON.stringify(location), run], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const told = new Map<string, number>();
  let [count, failures] = [0, 0];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (text) => {
    const [name = '', number] = text.split(' ');
    if (name === 'failed') failures++;
    else {
      count++;
      told.set(name, Number(number));
    }
  });
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo())
      await Promise.race([once(reader, 'line'), closed.then(() => Promise.reject(new Error('it ended')))]);
  };
  await wait({
    lines: (more) => {
      const goal = count + more;
      return until(() => count >= goal);
    },
    failure: () => until(() => failures > 0),
  });
  child.kill('SIGKILL');
  await closed;
  return told;
}

interface Kept {
  /** Nodes of which a number is missing, twice, or out of order, or whose acknowledged ones are not all there. */
  readonly wrongNodes: readonly string[];
  readonly hasIncident: boolean;
  /** Whether each revision that was stored has its line, once. */
  readonly hasLines: boolean;
}

async function kept(location: DatabaseLocation, run: string, told: Told): Promise<Kept> {
  const clock = { now: () => Date.now() };
  await using store = await openHaStore({ location, clock, ignore: () => undefined }, signal);
  const stored = new Map<string, string[]>();
  for (const { host, event } of await store.telemetry.events(undefined, 1e6, signal)) {
    if (!host.startsWith(`${run}-`) || event.kind !== 'lifecycle') continue;
    stored.set(host, [...(stored.get(host) ?? []), event.detail]);
  }
  const wrongNodes = [...told.keys()].filter((name) => {
    const details = stored.get(name) ?? [];
    const isInOrder = details.every((detail, index) => detail === `n${index * 2 + 1}`);
    return name !== 'leader' && !(isInOrder && details.length * 2 >= (told.get(name) ?? 0));
  });
  const revision = (await store.incidents.get(`incident-${run}`, signal))?.revision ?? 0;
  const journal = await store.journal.list('0', { limit: 1e6 }, signal);
  const messages = journal.map(({ message }) => message).filter((message) => message.startsWith(`${run} `));
  return {
    wrongNodes,
    hasIncident: revision >= (told.get('leader') ?? 0),
    hasLines: messages.join() === Array.from({ length: revision }, (_, index) => `${run} ${index + 1}`).join(),
  };
}
