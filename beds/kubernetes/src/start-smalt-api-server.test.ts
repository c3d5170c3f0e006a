import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ask } from './ask.ts';
import { startSmaltApiServer } from './start-smalt-api-server.ts';

it('starts a server, kills it, and starts it again on the same data and the same address', async () => {
  await using server = await startSmaltApiServer({ signal: AbortSignal.timeout(30_000) });
  const before = await uidOfDefault(server);
  const { pid } = server.process;
  const { url } = server;

  await server.kill();
  const restartMs = await server.restart(AbortSignal.timeout(30_000));

  expect(await uidOfDefault(server)).toBe(before);
  expect({ url: server.url, isSamePid: server.process.pid === pid }).toEqual({ url, isSamePid: false });
  expect(server.startMs).toBeGreaterThan(0);
  expect(restartMs).toBeGreaterThan(0);
});

it('says why a server did not start', async () => {
  await using server = await startSmaltApiServer({ signal: AbortSignal.timeout(30_000) });
  await server.kill();
  await rm(join(server.directory, 'store.sqlite-wal'));
  await writeFile(join(server.directory, 'store.sqlite'), 'this is no database, and long enough to see it');

  await expect(server.restart(AbortSignal.timeout(30_000))).rejects.toThrow(/smalt apiserver ended: .*not a database/s);
});

async function uidOfDefault(server: { url: string; token: string; authority: Buffer }): Promise<string> {
  const { body } = await ask(`${server.url}/api/v1/namespaces/default`, server);
  return String(Object(JSON.parse(body)).metadata.uid);
}
