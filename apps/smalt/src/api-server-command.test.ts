import { EventEmitter } from 'node:events';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { apiServerCommand } from './api-server-command.ts';
import type { CommandContext } from './command-context.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'smalt-command-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

it('serves until it is told to stop, and says where in one line', async () => {
  const program = fakeProgram(['--data', directory, '--listen', '127.0.0.1:0']);
  const ended = apiServerCommand(program.context);
  await program.ready;
  const line: unknown = JSON.parse(program.output.join(''));

  program.process.emit('SIGTERM', 'SIGTERM');

  expect(await ended).toBe(0);
  expect(line).toEqual({
    url: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
    kubeconfig: join(directory, 'identity/admin.kubeconfig'),
  });
  expect(await readFile(join(directory, 'identity/admin.kubeconfig'), 'utf8')).toContain(Object(line).url);
});

it('says what to do when the directory or the port is taken', async () => {
  const first = fakeProgram(['--data', directory, '--listen', '127.0.0.1:0']);
  const ended = apiServerCommand(first.context);
  await first.ready;
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = Object(listener.address());
  await using other = await ownDirectory();

  const sameDirectory = apiServerCommand(fakeProgram(['--data', directory, '--listen', '127.0.0.1:0']).context);
  const samePort = apiServerCommand(fakeProgram(['--data', other.path, '--listen', `127.0.0.1:${port}`]).context);

  await expect(sameDirectory).rejects.toThrow(
    `another server runs on ${directory}: stop it, or give another directory with --data`,
  );
  await expect(samePort).rejects.toThrow(
    `127.0.0.1:${port} is in use by another program: give another address or port with --listen`,
  );
  listener.close();
  first.process.emit('SIGINT', 'SIGINT');
  expect(await ended).toBe(0);
});

it('prints its flags', async () => {
  const program = fakeProgram(['--help']);

  expect(await apiServerCommand(program.context)).toBe(0);
  expect(program.output.join('')).toContain('--data STRING');
});

it.each([
  { words: ['--dta', 'x'], message: 'unknown flag --dta; did you mean "--data"?' },
  { words: ['--listen', '6443'], message: '--listen must be an address and a port' },
])('refuses $words', async ({ words, message }) => {
  await expect(apiServerCommand(fakeProgram(words).context)).rejects.toThrow(message);
});

async function ownDirectory() {
  const path = await mkdtemp(join(tmpdir(), 'smalt-command-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

function fakeProgram(words: readonly string[]) {
  const output: string[] = [];
  const ready = Promise.withResolvers<void>();
  const process = Object.assign(new EventEmitter(), { exit: () => undefined });
  const context: CommandContext = {
    arguments: words,
    environment: {},
    process,
    output: { write: (text) => output.push(text) },
    errors: { write: () => undefined },
    onReady: ready.resolve,
  };
  return { context, process, output, ready: ready.promise };
}
