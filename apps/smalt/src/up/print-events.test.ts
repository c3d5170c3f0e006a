import { stripVTControlCharacters } from 'node:util';

import { startTestDaemon } from '@smalt/bed-libvirt';
import { connect, LibvirtError, openSession, type LibvirtSession } from '@smalt/libvirt';
import { expect, it } from 'vitest';

import { printEvents } from './print-events.ts';

const now = (): Date => new Date('2026-01-02T03:04:05.678Z');

it('waits for a libvirt that is away for longer than any call may take, and prints what happens when it is back', async () => {
  await using daemon = await startTestDaemon();
  daemon.kill('SIGKILL');
  await daemon.exited();
  await using session = openSession(daemon.uri, { reconnectGraceMs: 1 });
  using world = watch(session);
  await untilTriedAgain(session);

  await daemon.restart();
  await world.watching;
  await using connection = await connect(daemon.uri);
  await connection.domainSuspend({ domain: await connection.domainLookupByName({ name: 'test' }) });

  await expect.poll(() => world.lines).toEqual(['03:04:05.678  test  lifecycle suspended (paused)']);
});

it('asks again when the connection breaks while it asks, and says for once what cannot be mended', async () => {
  const failures = [new LibvirtError('connection-lost', 'gone'), new LibvirtError('authentication', 'not for you')];
  using world = watch({ domainEvents: () => Promise.reject(failures.shift() ?? new Error('asked once too often')) });

  await expect.poll(() => world.lines).toEqual(['what happens to domains is not told any more: not for you']);
  expect(world.hasEnded()).toBe(false);
  world[Symbol.dispose]();

  await expect.poll(() => world.hasEnded()).toBe(true);
});

interface World extends Disposable {
  readonly lines: readonly string[];
  readonly watching: Promise<void>;
  hasEnded(): boolean;
}

function watch(session: Pick<LibvirtSession, 'domainEvents'>): World {
  const lines: string[] = [];
  const end = new AbortController();
  const { promise: watching, resolve: onWatching } = Promise.withResolvers<void>();
  const print = (line: string): void => void lines.push(stripVTControlCharacters(line));
  let hasEnded = false;
  const printing = printEvents({ session, print, now, onWatching }, end.signal);
  void printing.then(() => (hasEnded = true));
  return { lines, watching, hasEnded: () => hasEnded, [Symbol.dispose]: () => end.abort() };
}

async function untilTriedAgain(session: LibvirtSession): Promise<void> {
  for await (const state of session.states()) if (state.kind === 'waiting' && state.attempt > 1) return;
}
