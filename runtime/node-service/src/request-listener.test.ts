import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';

import { expect, it } from 'vitest';

import { requestListener } from './request-listener.ts';

it('ends the connection of a call that fails, counts it, and answers the next', async () => {
  const ignored: unknown[] = [];
  const fault = new Error('a fault');
  const handle: Parameters<typeof requestListener>[0]['handle'] = async (request, response) => {
    await Promise.resolve();
    if (request.url === '/bad') throw fault;
    response.end();
  };
  const listener = requestListener({ handle }, (error) => void ignored.push(error));
  await using server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const bad = await outcome(server, '/bad');
  const good = await outcome(server, '/good');

  expect([bad, good, ignored]).toEqual(['ECONNRESET', 200, [fault]]);
});

async function outcome(server: Server, path: string): Promise<unknown> {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const over = Promise.withResolvers<unknown>();
  get({ host: '127.0.0.1', port, path, agent: false }, (response) => over.resolve(response.resume().statusCode)).once(
    'error',
    (error) => over.resolve('code' in error ? error.code : error),
  );
  return await over.promise;
}
