import { request as httpsRequest } from 'node:https';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestServer, type TestServer } from '../fixtures/test-server.ts';

let api: TestServer;

beforeAll(async () => {
  api = await startTestServer();
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

it('refuses an upgrade of who is not allowed with 403', async () => {
  expect(await upgrade('/api/v1/namespaces/default/pods/p/exec', {})).toMatchObject({ code: 403 });
});

it('refuses an upgrade with a bad token with 401', async () => {
  expect(await upgrade('/api/v1/namespaces/default/pods/p/exec', { authorization: 'Bearer x' })).toMatchObject({
    code: 401,
  });
});

it('refuses to upgrade where there is nothing to upgrade to', async () => {
  const answer = await upgrade('/api/v1/namespaces/default/configmaps', {
    authorization: `Bearer ${api.server.adminToken}`,
  });

  expect(answer).toMatchObject({ code: 400, body: { kind: 'Status', reason: 'BadRequest' } });
});

function upgrade(path: string, headers: Record<string, string>): Promise<{ code: number; body: unknown }> {
  const all = { connection: 'Upgrade', upgrade: 'websocket', ...headers };
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      `${api.server.url}${path}`,
      { ca: api.server.ca, headers: all, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ code: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) }),
        );
      },
    );
    request.on('upgrade', () => reject(new Error('the server upgraded')));
    request.on('error', reject);
    request.end();
  });
}
