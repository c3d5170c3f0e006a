import { once } from 'node:events';
import { createServer } from 'node:http';

import { expect, it } from 'vitest';

import { adminCredentials } from './cloud-users.ts';
import { untilLetIn } from './until-let-in.ts';

const PATHS = ['/identity/auth/tokens', '/placement/resource_providers', '/compute/os-services', '/image/v2/images'];

it.each(PATHS)('waits for a cloud in which %s is refused at first', async (path) => {
  await using cloud = await startRefusingCloud(path, 2);

  await untilLetIn(cloud.endpoints, adminCredentials('secret'), AbortSignal.timeout(20_000));

  expect(cloud.refusals).toEqual([path, path]);
  expect(new Set(cloud.answered)).toEqual(new Set(PATHS));
});

it('gives up with the signal, and tells what was refused last', async () => {
  await using cloud = await startRefusingCloud('/image/v2/images', Infinity);

  const letIn = untilLetIn(cloud.endpoints, adminCredentials('secret'), AbortSignal.timeout(500));

  await expect(letIn).rejects.toThrow('let nobody in');
});

/** Answers as services do that cannot reach Keystone yet, so many times; no real one can be told to. */
async function startRefusingCloud(path: string, times: number) {
  const [refusals, answered]: [string[], string[]] = [[], []];
  const server = createServer((request, response) => {
    const asked = request.url ?? '';
    const isRefused = asked === path && refusals.length < times;
    (isRefused ? refusals : answered).push(asked);
    const headers = { 'content-type': 'application/json', ...(!isRefused && { 'x-subject-token': 'token' }) };
    response.writeHead(isRefused ? 503 : 200, headers).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${Object(server.address()).port}`;
  const endpoints = {
    identity: `${url}/identity`,
    placement: `${url}/placement`,
    compute: `${url}/compute`,
    image: `${url}/image`,
  };
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { endpoints, refusals, answered, [Symbol.asyncDispose]: close };
}
