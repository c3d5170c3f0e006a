import { mkdtempDisposable, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createLogger, type Logger } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { AgentsLog } from './agents-log.ts';

it('keeps what agents write for its owner, and tells what is grave elsewhere too', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-agents-log-'));
  const grave: string[] = [];

  await using log = await AgentsLog.open(directory.path, warnings(grave));
  log.logger.child({ agent: 'a' }).info({ count: 1 }, 'all is well');
  log.logger.warn({}, 'the disk is slow');
  await log[Symbol.asyncDispose]();

  expect(linesOf(await readFile(log.path, 'utf8'))).toMatchObject([
    { level: 'info', agent: 'a', count: 1, msg: 'all is well' },
    { level: 'warn', msg: 'the disk is slow' },
  ]);
  expect(grave.join('')).toContain('the disk is slow');
  expect(grave).toHaveLength(1);
  expect((await stat(log.path)).mode % 0o1000).toBe(0o600);
});

it('puts a full file aside, and keeps no more than two', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-agents-log-'));
  await using log = await AgentsLog.open(directory.path, warnings([]), 50);

  for (const message of ['one', 'two', 'three']) {
    log.logger.info({}, message);
    await log[Symbol.asyncDispose]();
  }

  expect((await readdir(directory.path)).toSorted()).toEqual(['agents.log', 'agents.log.1']);
  expect(await readFile(`${log.path}.1`, 'utf8')).toContain('two');
  expect(await readFile(log.path, 'utf8')).toContain('three');
});

it('goes on where nothing can be written, and tells it once', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-agents-log-'));
  const grave: string[] = [];
  const log = await AgentsLog.open(join(directory.path, 'gone'), warnings(grave));
  await rm(join(directory.path, 'gone'), { recursive: true });

  for (const message of ['one', 'two']) {
    log.logger.info({}, message);
    await log[Symbol.asyncDispose]();
  }

  expect(grave).toHaveLength(1);
  expect(grave[0]).toContain('cannot be kept');
});

function warnings(lines: string[]): Logger {
  return createLogger({ name: 'test', level: 'warn', destination: { write: (line) => lines.push(line) } });
}

function linesOf(text: string): readonly unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}
