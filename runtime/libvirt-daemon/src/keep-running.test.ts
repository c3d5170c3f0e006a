import { mkdtempDisposable, writeFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { decideAfterDeath, keepRunning } from './keep-running.ts';
import { startLibvirtd } from './start-libvirtd.ts';

const MINUTE_MS = 60_000;
const noDelay = (): Promise<void> => Promise.resolve();

it('brings a libvirtd that was killed back, and rests when told to', async () => {
  await using directory = await mkdtempDisposable('/tmp/keep-');
  await using daemon = await startLibvirtd({ directory: directory.path, drivers: 'test' });
  const stop = new AbortController();
  const died = Promise.withResolvers<number>();
  const before = daemon.pid;
  const kept = keepRunning(daemon, { onDeath: died.resolve }, stop.signal);

  daemon.kill('SIGKILL');
  const delayMs = await died.promise;
  await expect.poll(() => daemon.pid ?? before, { timeout: 10_000 }).not.toBe(before);
  stop.abort();
  await kept;

  expect(delayMs).toBe(250);
});

it('gives up on a libvirtd that cannot start again, with its last words', async () => {
  await using directory = await mkdtempDisposable('/tmp/keep-');
  await using daemon = await startLibvirtd({ directory: directory.path, drivers: 'test' });
  const delays: number[] = [];
  const options = { onDeath: (delayMs: number) => delays.push(delayMs), delay: noDelay };
  await writeFile(`${directory.path}/etc/libvirtd.conf`, 'listen_tcp = "no number"\n');
  const kept = keepRunning(daemon, options, new AbortController().signal);

  daemon.kill('SIGKILL');

  await expect(kept).rejects.toMatchObject({
    code: 'keeps-dying',
    message: expect.stringContaining('libvirtd died 5 times in a row'),
    log: expect.stringContaining('listen_tcp'),
    cause: { code: 'start-failed' },
  });
  expect(delays).toEqual([250, 500, 1000, 2000]);
});

it('gives up when the namespaces are gone', async () => {
  await using directory = await mkdtempDisposable('/tmp/keep-');
  await using daemon = await startLibvirtd({ directory: directory.path, drivers: 'test' });
  const kept = keepRunning(daemon, { onDeath: () => undefined }, new AbortController().signal);

  process.kill(daemon.namespacePid, 'SIGKILL');

  await expect(kept).rejects.toMatchObject({ code: 'ended' });
});

it('leaves a daemon alone that is stopped after the signal', async () => {
  await using directory = await mkdtempDisposable('/tmp/keep-');
  await using daemon = await startLibvirtd({ directory: directory.path, drivers: 'test' });
  const stop = new AbortController();
  const deaths: number[] = [];
  const kept = keepRunning(daemon, { onDeath: (delayMs) => deaths.push(delayMs) }, stop.signal);

  stop.abort();
  await daemon.stop();
  await kept;

  expect(deaths).toEqual([]);
});

it.each([
  { deaths: 0, livedMs: 10, hasEnded: false, step: { kind: 'restart', delayMs: 250, deaths: 1 } },
  { deaths: 3, livedMs: 10, hasEnded: false, step: { kind: 'restart', delayMs: 2000, deaths: 4 } },
  { deaths: 4, livedMs: 10, hasEnded: false, step: { kind: 'give-up', code: 'keeps-dying' } },
  { deaths: 4, livedMs: MINUTE_MS, hasEnded: false, step: { kind: 'restart', delayMs: 250, deaths: 1 } },
  { deaths: 0, livedMs: MINUTE_MS, hasEnded: true, step: { kind: 'give-up', code: 'ended' } },
])('decides $step.kind after $deaths quick deaths and $livedMs ms', ({ deaths, livedMs, hasEnded, step }) => {
  expect(decideAfterDeath(deaths, livedMs, hasEnded)).toMatchObject(step);
});
