import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ServiceProcess } from './service-process.ts';

it('tells the last words of a service that ends before it is ready', async () => {
  await using directory = await makeDirectory();
  const service = await start(directory.path, 'echo no database >&2; exit 3');

  const ready = service.whenReady(async () => false, AbortSignal.timeout(20_000));

  await expect(ready).rejects.toMatchObject({
    code: 'service-failed',
    message: 'broken ended with 3: no database',
  });
});

it('waits no longer than it may', async () => {
  await using directory = await makeDirectory();
  const service = await start(directory.path, 'read -t 1 <> <(:)');

  const ready = service.whenReady(async () => false, AbortSignal.timeout(100));

  await expect(ready).rejects.toThrow('aborted');
  await service.ended;
});

it('gives as many lines of the log as wanted', async () => {
  await using directory = await makeDirectory();
  const service = await start(directory.path, 'seq 20');

  await service.ended;

  expect(await service.log.tail(2)).toBe('19\n20');
});

async function start(directory: string, script: string): Promise<ServiceProcess> {
  const command = ['bash', '-c', script] as const;
  return ServiceProcess.start({ name: 'broken', command, environment: {}, logPath: join(directory, 'log') });
}

async function makeDirectory(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'smalt-service-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
