import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { HttpPool } from './http-pool.ts';

const GET = { method: 'GET', path: '/' } as const;

afterEach(() => void vi.useRealTimers());

describe('HttpPool', () => {
  it('sends a body with its length, whatever the method', async () => {
    await using world = await startWorld(async (request, response) => {
      const body = await request.setEncoding('utf8').toArray();
      response.end(`${request.headers['content-length']} ${body.join('')}`);
    });

    const { body } = await world.pool.request({ method: 'DELETE', path: '/', body: 'äh' });

    expect(await body.text()).toBe('3 äh');
  });

  it('gives up while an answer is read', async () => {
    await using world = await startWorld((_request, response) => void response.write('first'));
    const stopping = new AbortController();
    const { body } = await world.pool.request({ ...GET, signal: stopping.signal });

    const reading = body.text();
    stopping.abort(new Error('enough'));

    await expect(reading).rejects.toThrow('enough');
  });

  it('keeps no trace of an exchange on a signal that lives on', async () => {
    await using world = await startWorld((_request, response) => void response.end('x'));
    const counted = countListeners(new AbortController().signal);

    for (let count = 0; count < 3; count++) {
      const { body } = await world.pool.request({ ...GET, signal: counted.signal });
      await body.text();
    }

    await expect.poll(() => counted.now()).toBe(0);
  });

  it('does not take a reader that has time for a server that is silent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await using world = await startWorld((_request, response) => void response.write('first'));
    const { body } = await world.pool.request({ ...GET, bodyTimeoutMs: 30 });
    const chunks = body[Symbol.asyncIterator]();
    await chunks.next();

    vi.advanceTimersByTime(60);
    const second = chunks.next();
    world.write('second');

    expect(String((await second).value)).toBe('second');
    const third = chunks.next();
    vi.advanceTimersByTime(60);
    await expect(third).rejects.toMatchObject({ name: 'TimeoutError', code: 'BODY_TIMEOUT' });
  });

  it('fails those that wait for their turn when it is destroyed', async () => {
    await using world = await startWorld(() => undefined);
    const requests = [1, 2, 3].map(() => world.pool.request(GET));
    const outcomes = Promise.allSettled(requests);

    await world.pool.destroy();

    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(world.pool.request(GET)).rejects.toThrow('closed');
  });

  it('lets what is under way end when it is closed', async () => {
    await using world = await startWorld((_request, response) => void response.write('first '));
    const { body } = await world.pool.request(GET);

    const closed = world.pool.close();
    world.write('second', true);

    expect(await body.text()).toBe('first second');
    await closed;
  });

  it('refuses what no request may hold, and forgets it', async () => {
    await using world = await startWorld(() => undefined);

    await expect(world.pool.request({ ...GET, path: '/ä b' })).rejects.toThrow('path');
    await world.pool.close();
  });
});

type Listener = (...words: Parameters<RequestListener>) => void | Promise<void>;

async function startWorld(listener: Listener) {
  const responses: { write(text: string): unknown; end(text: string): unknown }[] = [];
  const server = createServer((request, response) => {
    responses.push(response);
    void listener(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const options = { connections: 1, keepAliveMs: 1_000, connectTimeoutMs: 1_000, tls: {} };
  const pool = new HttpPool(`http://127.0.0.1:${port}`, options);
  return {
    pool,
    write: (text: string, isLast = false) =>
      void (isLast ? responses.at(-1)?.end(text) : responses.at(-1)?.write(text)),
    async [Symbol.asyncDispose]() {
      await pool.destroy();
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

function countListeners(signal: AbortSignal) {
  let count = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...words: Parameters<typeof add>) => (count++, add(...words));
  signal.removeEventListener = (...words: Parameters<typeof remove>) => (count--, remove(...words));
  return { signal, now: () => count };
}
