import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findPostgres } from './find-postgres.ts';
import { runAsServerAccount } from './server-account.ts';
import { startPostgres, type PostgresBed } from './start-postgres.ts';

it('is reached by an address beside loopback where it is told one', async () => {
  await using server = await startPostgres({ address: '127.0.0.2' });

  expect(server.url).toContain('@127.0.0.2:');
  await run(server.url, 'SELECT 1');
  await run(server.url.replace('127.0.0.2', '127.0.0.1'), 'SELECT 1');
});

describe('a server', () => {
  let server: PostgresBed;

  beforeAll(async () => {
    server = await startPostgres();
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  it('takes the user of its URL, and nobody without the password', async () => {
    await run(server.url, 'CREATE TABLE greeting (word TEXT)');

    await expect(run(server.url.replace(/:[^:@]*@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(/authentication failed/);
  });

  it.each(['kill', 'stop'] as const)('keeps what was committed over %s and restart, at the same place', async (end) => {
    await run(server.url, `CREATE TABLE ${end}_table (word TEXT)`);

    await server[end]();
    const whileGone = { isRunning: server.isRunning, isListening: await isListening(server.url) };
    await server.restart();

    expect(whileGone).toEqual({ isRunning: false, isListening: false });
    expect(server.isRunning).toBe(true);
    await run(server.url, `INSERT INTO ${end}_table VALUES ('there')`);
  });
});

it('leaves nothing when it is disposed of while it starts again', async () => {
  const server = await startPostgres();
  await server.kill();

  const restarting = server.restart();
  await server[Symbol.asyncDispose]();

  await restarting;
  expect(server.isRunning).toBe(false);
  expect(await directoriesOf(process.pid)).toEqual([]);
});

it('says what the server said when it does not start, and leaves nothing', async () => {
  const start = startPostgres({ settings: { nonsense: 'yes' } });

  await expect(start).rejects.toMatchObject({ code: 'start-failed', message: expect.stringContaining('nonsense') });
  expect(await directoriesOf(process.pid)).toEqual([]);
});

it('nothing runs on of an owner that is killed, and the next one removes its files', async () => {
  const owner = spawn(process.execPath, [`${import.meta.dirname}/fixtures/start-server.ts`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(owner, 'close');
  const [line] = (await once(owner.stdout, 'data')) as [Buffer];
  const pid = /^server (\d+)/.exec(line.toString())?.[1] ?? '';
  const before = await processesOf(pid);

  owner.kill('SIGKILL');
  await closed;

  // The server itself, and at least the writers of its log and its pages.
  expect(before.length).toBeGreaterThanOrEqual(3);
  await expect.poll(async () => Promise.all(before.map(commandOf))).toEqual(before.map(() => ''));
  await using next = await startPostgres();
  expect(await directoriesOf(owner.pid ?? 0)).toEqual([]);
  expect(next.isRunning).toBe(true);
});

it('nothing runs on of an owner that is killed while it starts a server again', async () => {
  const owner = spawn(process.execPath, [`${import.meta.dirname}/fixtures/restart-server.ts`], { stdio: 'ignore' });

  const [, signal] = await once(owner, 'exit');

  expect(signal).toBe('SIGKILL');
  await expect.poll(() => commandsWith(`smalt-postgres-${owner.pid}-`)).toEqual([]);
});

async function run(url: string, text: string): Promise<void> {
  await runAsServerAccount([`${await findPostgres()}/psql`, '-X', '-v', 'ON_ERROR_STOP=1', '-c', text, url]);
}

async function isListening(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function directoriesOf(pid: number): Promise<readonly string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith(`smalt-postgres-${pid}-`));
}

async function processesOf(server: string): Promise<readonly string[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(
    all.map(async (pid) => /^PPid:\s+(\d+)$/m.exec(await read(`/proc/${pid}/status`))?.[1]),
  );
  return [server, ...all.filter((_, index) => parents[index] === server)];
}

async function commandsWith(words: string): Promise<readonly string[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(all.map((pid) => read(`/proc/${pid}/cmdline`)));
  return commands.filter((command) => command.includes(words));
}

async function commandOf(pid: string): Promise<string> {
  const command = await read(`/proc/${pid}/cmdline`);
  return command.includes('postgres') ? command : '';
}

async function read(path: string): Promise<string> {
  // Processes come and go while we look.
  return readFile(path, 'utf8').catch(() => '');
}
