import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtempDisposable, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { lockFile } from '@smalt/files';
import { createLogger } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { systemClock } from '../clock.ts';
import { ownIdentity, printIdentity } from './agent-identity.ts';
import { takeNodeLock, type NodeLock } from './node-lock.ts';

const identity = await ownIdentity(new Date('2026-03-01T12:00:00Z'));

it('is had by one at a time; who waits is told whom for, and gets it when that one ends', async () => {
  await using place = await openPlace();
  const first = await place.take();
  const order: string[] = [];
  const waits = Promise.withResolvers<string>();

  const second = place.take({ onWait: waits.resolve }).then((lock) => {
    order.push('second');
    return lock;
  });
  const holder = await waits.promise;
  order.push('first');
  await first[Symbol.asyncDispose]();
  await using got = await second;

  expect(holder).toBe(printIdentity({ ...identity, lock: first.id }));
  expect(order).toEqual(['first', 'second']);
  expect(got.id).toBe(first.id);
});

it('has an id of its own that stays, whoever has it and however it was left', async () => {
  await using place = await openPlace();
  await using other = await openPlace();
  const before = await place.take();
  await before[Symbol.asyncDispose]();
  await using elsewhere = await other.take();

  await using after = await place.take();

  expect(before.id).toMatch(/^[\da-f]{16}$/);
  expect(after.id).toBe(before.id);
  expect(elsewhere.id).not.toBe(before.id);
  expect((await stat(place.path)).mode & 0o777).toBe(0o600);
});

it('gets a new id where what is in the file is none', async () => {
  await using place = await openPlace();
  await writeFile(place.path, 'of an agent of before');

  await using lock = await place.take();

  const text = await readFile(place.path, 'utf8');
  expect(text).toBe(`${lock.id}\n${printIdentity({ ...identity, lock: lock.id })}\n`);
});

it('names the file where nobody has written who has it', async () => {
  await using place = await openPlace();
  await using file = await open(place.path, 'w');
  await lockFile(file);
  const waits = Promise.withResolvers<string>();
  const stop = new AbortController();

  const waiting = place.take({ onWait: waits.resolve, signal: stop.signal });
  const holder = await waits.promise;
  stop.abort(new Error('stop'));

  await expect(waiting).rejects.toThrow('stop');
  expect(holder).toBe(`whoever has locked ${place.path}`);
});

it('is let go of by one that is killed', async () => {
  await using place = await openPlace();
  const file = await open(place.path, 'w');
  await lockFile(file);
  const holder = spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', file.fd] });
  await file.close();
  const waits = Promise.withResolvers<string>();

  const waiting = place.take({ onWait: waits.resolve });
  await waits.promise;
  const gone = once(holder, 'exit');
  holder.kill('SIGKILL');
  await gone;
  await using lock = await waiting;

  expect(lock.id).toBeDefined();
});

it('is that of the file that is there, when the one that was waited for was removed', async () => {
  await using place = await openPlace();
  const first = await place.take();
  const waits = Promise.withResolvers<string>();
  const second = place.take({ onWait: waits.resolve });
  await waits.promise;
  await rm(place.path);
  const third = await place.take();
  const again = Promise.withResolvers<string>();
  const fourth = place.take({ onWait: again.resolve });
  await again.promise;

  await first[Symbol.asyncDispose]();
  await third[Symbol.asyncDispose]();
  const ids = await Promise.all([second, fourth].map(idOfNext));

  expect(ids).toEqual([third.id, third.id]);
  expect(third.id).not.toBe(first.id);
});

it('rejects where there can be none', async () => {
  await using place = await openPlace();
  await mkdir(place.path);

  await expect(place.take()).rejects.toMatchObject({ code: 'EISDIR' });
});

/** Lets the next one in. */
async function idOfNext(taking: Promise<NodeLock>): Promise<string | undefined> {
  await using lock = await taking;
  return lock.id;
}

interface TakeOptions {
  readonly onWait?: (holder: string) => void;
  readonly signal?: AbortSignal;
}

interface Place extends AsyncDisposable {
  readonly path: string;
  take(options?: TakeOptions): Promise<NodeLock>;
}

function failToWait(holder: string): never {
  return expect.fail(`${holder} has it`);
}

async function openPlace(): Promise<Place> {
  const directory = await mkdtempDisposable(join(tmpdir(), 'smalt-node-lock-'));
  const path = join(directory.path, 'agent.n1.lock');
  const logger = createLogger({ name: 'test', destination: process.stderr });
  return {
    path,
    take: ({ onWait = failToWait, signal = AbortSignal.timeout(20_000) } = {}) =>
      takeNodeLock({ path, identity, clock: systemClock, logger, onWait }, signal),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}
