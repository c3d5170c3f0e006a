import { EventEmitter } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePorts, startTestApiServer } from '@smalt/bed-kubernetes';
import { consoleFields } from '@smalt/console';
import { expect, it } from 'vitest';

import type { CommandContext } from './command-context.ts';
import { consoleServerCommand } from './console-server-command.ts';

it('serves the console until it is told to stop, and answers for itself', { timeout: 60_000 }, async () => {
  await using server = await startTestApiServer();
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-web-console-'));
  const [port = 0, own = 0] = await freePorts(2);
  const program = fakeProgram([
    `--kubeconfig=${server.kubeconfig}`,
    `--listen=127.0.0.1:${own}`,
    `--serve-listen=127.0.0.1:${port}`,
    `--sessions-key-file=${join(directory.path, 'key')}`,
    `--pages=${directory.path}`,
  ]);

  const ended = consoleServerCommand(program.context);
  await expect.poll(() => program.readyCount()).toBe(1);
  const session = await fetch(`http://127.0.0.1:${port}/session`);
  const alive = await fetch(`http://127.0.0.1:${own}/livez`);
  const ready = await fetch(`http://127.0.0.1:${own}/readyz?verbose`);
  const metrics = await (await fetch(`http://127.0.0.1:${own}/metrics`)).text();
  program.process.emit('SIGTERM', 'SIGTERM');

  expect(await ended).toBe(0);
  expect([session.status, alive.status]).toEqual([401, 200]);
  // There are no pages in that directory.
  expect(await ready.text()).toMatch(/^\[\+\]ping ok\n\[-\]pages failed/);
  expect(metrics).toMatch(/^smalt_console_requests_total\{route="session",code="401"\} 1$/m);
});

it('prints every flag', async () => {
  const program = fakeProgram(['--help']);

  expect(await consoleServerCommand(program.context)).toBe(0);
  for (const { flag } of consoleFields()) expect(program.output.join('')).toContain(`--${flag}`);
});

it.each([
  { words: ['--serve-listen=x'], message: '--serve-listen must be an address and a port' },
  { words: ['--serve-key=/key'], message: 'serve.certificate and serve.key go together' },
])('refuses $words in one sentence', async ({ words, message }) => {
  await expect(consoleServerCommand(fakeProgram(words).context)).rejects.toThrow(message);
});

function fakeProgram(words: readonly string[]) {
  const output: string[] = [];
  let readies = 0;
  const process = Object.assign(new EventEmitter(), { exit: () => undefined });
  const context: CommandContext = {
    arguments: words,
    environment: {},
    process,
    output: { write: (text) => output.push(text) },
    errors: { write: () => undefined },
    onReady: () => void readies++,
  };
  return { context, process, output, readyCount: () => readies };
}
