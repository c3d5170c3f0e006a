import { appendFile, mkdtempDisposable } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { ConsoleLog } from './console-log.ts';

it('sees what is printed before and after it began to wait', async () => {
  await using directory = await mkdtempDisposable('/tmp/console-');
  const log = new ConsoleLog(`${directory.path}/a.log`);

  const waiting = log.waitFor(/tick (\d)/);
  await appendFile(log.path, 'tick');
  await appendFile(log.path, ' 7\n');

  expect((await waiting)[1]).toBe('7');
  expect((await log.waitFor(/^tick/))[0]).toBe('tick');
});

it('looks only behind a given place', async () => {
  await using directory = await mkdtempDisposable('/tmp/console-');
  const log = new ConsoleLog(`${directory.path}/a.log`);
  await appendFile(log.path, 'tick 1\n');

  const waiting = log.waitFor(/tick (\d)/g, { from: (await log.text()).length });
  await appendFile(log.path, 'tick 2\n');

  expect((await waiting)[1]).toBe('2');
});

it('tells what came instead when its time is up', async () => {
  await using directory = await mkdtempDisposable('/tmp/console-');
  const log = new ConsoleLog(`${directory.path}/a.log`);
  await appendFile(log.path, 'Kernel panic\n');

  const waiting = log.waitFor(/ready/, { timeoutMs: 50 });

  await expect(waiting).rejects.toMatchObject({
    code: 'wait-timeout',
    message: expect.stringContaining('Kernel panic'),
  });
});

it('stops when the caller gives up', async () => {
  await using directory = await mkdtempDisposable('/tmp/console-');
  const giveUp = new AbortController();
  const waiting = new ConsoleLog(`${directory.path}/none.log`).waitFor(/ready/, { signal: giveUp.signal });

  giveUp.abort(new Error('enough'));

  await expect(waiting).rejects.toThrow('enough');
});
