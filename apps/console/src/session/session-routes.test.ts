import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ConsoleServer } from '../console-options.ts';
import { startConsoleBed, type ConsoleBed } from '../fixtures/console-bed.ts';

let bed: ConsoleBed;

beforeAll(async () => {
  bed = await startConsoleBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

describe('a one-time link', () => {
  it('is told of in the log as any sign-in is', async () => {
    const code = bed.console.createEntry(await bed.token('linda'));
    const before = bed.log.length;

    await bed.raw('GET', `/enter?code=${code}`);

    const lines = bed.log.slice(before).filter((line) => line.includes('a user has signed in'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ user: 'system:serviceaccount:default:linda', address: '127.0.0.1' }),
    ]);
  });

  it('is not used up while the API server is away, and the console is ready to say so', async () => {
    const code = bed.console.createEntry(bed.adminToken);

    await bed.stopServer();
    const away = await bed.raw('GET', `/enter?code=${code}`);
    const ready = await bed.health.run('readyz', { signal: AbortSignal.timeout(5_000) });
    await bed.startServer();
    const [first, second] = [await bed.raw('GET', `/enter?code=${code}`), await bed.raw('GET', `/enter?code=${code}`)];

    expect([away.status, first.status, second.status]).toEqual([503, 303, 401]);
    expect(ready.isHealthy).toBe(true);
  });
});

describe('who fails to sign in', () => {
  it('holds up an address, but shuts nobody out of it', async () => {
    const waits: number[] = [];
    const wait = (milliseconds: number): Promise<void> => Promise.resolve(void waits.push(milliseconds));
    const few = await bed.again({ limits: { signInsPerMinute: 2 }, clock: { now: () => Date.now(), wait } });

    const bad = [await signIn(few, 'a'), await signIn(few, 'b'), await signIn(few, 'c'), await signIn(few, 'd')];
    const held = waits.length;
    const good = await signIn(few, bed.adminToken);
    const worn = [await signIn(few, 'a'), await signIn(few, 'a')];

    expect({ bad, held, good, worn }).toEqual({ bad: [401, 401, 401, 401], held: 2, good: 200, worn: [401, 429] });
  });
});

it('lets a user begin so many sessions in 12 hours, and others theirs', async () => {
  const few = await bed.again({ limits: { sessionsOfUser: 2 } });
  const token = await bed.token('eager');

  const own = [await signIn(few, token), await signIn(few, token), await signIn(few, token)];

  expect([own, await signIn(few, await bed.token('calm'))]).toEqual([[200, 200, 429], 200]);
});

it('ends what was passed on for a user whose account is gone', async () => {
  const { port } = await bed.again({ limits: { checkMs: 200 } });
  const cookie = await bed.signIn(await bed.token('reader', 'view'));
  const path = '/api/v1/namespaces/default/configmaps?watch=true';
  const [response]: IncomingMessage[] = await once(
    get({ host: '127.0.0.1', port, path, headers: { cookie }, agent: false }),
    'response',
  );
  const broken = new Promise((resolve) =>
    response
      ?.resume()
      .once('error', resolve)
      .once('end', () => resolve('ended')),
  );

  await bed.admin.request({ method: 'DELETE', path: '/api/v1/namespaces/default/serviceaccounts/reader' });

  expect(response?.statusCode).toBe(200);
  // A server that ends a watch by itself does so in good order.
  expect(await broken).toMatchObject({ code: 'ECONNRESET' });
});

async function signIn({ url, port }: ConsoleServer, token: string): Promise<number> {
  const headers = { origin: url, 'x-smalt-console': '1' };
  return (await bed.raw('POST', '/session', { headers, body: { token } }, port)).status;
}
