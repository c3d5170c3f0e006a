import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestServer, type TestServer } from '../fixtures/test-server.ts';

const PATH = '/smalt/backup';
const APPLICATION_ID = 0x536d6c74;

let bed: TestServer;

beforeAll(async () => {
  bed = await startTestServer();
});

afterAll(() => bed[Symbol.asyncDispose]());

it('sends the store as a file of SQLite, in whole pages', async () => {
  const { code, headers, body } = await bed.call('POST', PATH);

  expect([code, headers['content-type']]).toEqual([200, 'application/vnd.sqlite3']);
  expect(body.readUInt32BE(68)).toBe(APPLICATION_ID);
  expect(body.length).toBe(body.readUInt16BE(16) * body.readUInt32BE(28));
  expect(headers['content-length']).toBe(String(body.length));
});

it('sends it to nobody who may not have everything', async () => {
  const namespaced = { 'impersonate-user': 'ada', 'impersonate-group': 'system:authenticated' };

  const [anonymous, user] = await Promise.all([
    bed.call('POST', PATH, { isAnonymous: true }),
    bed.call('POST', PATH, { headers: namespaced }),
  ]);

  expect([anonymous.code, user.code]).toEqual([403, 403]);
  expect(user.object['message']).toBe('forbidden: User "ada" cannot post path "/smalt/backup"');
});

it('can be allowed by a rule about its path', async () => {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const name = 'keeper';
  const rules = [{ nonResourceURLs: [PATH], verbs: ['post'] }];
  await bed.call('POST', `${rbac}/clusterroles`, { body: { metadata: { name }, rules } });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }];
  await bed.call('POST', `${rbac}/clusterrolebindings`, { body: { metadata: { name }, roleRef, subjects } });

  const { code } = await bed.call('POST', PATH, { headers: { 'impersonate-user': name } });

  expect(code).toBe(200);
});

it('answers other methods with 405, and goes on', async () => {
  expect((await bed.call('GET', PATH)).code).toBe(405);
  expect((await bed.call('POST', PATH)).code).toBe(200);
});

it('is made for one at a time, and for the next when that one has gone away', async () => {
  await Promise.all(Array.from({ length: 16 }, (_, number) => makeLargeSecret(`large-${number}`)));
  const slow = await beginToFetch();

  const refused = await bed.call('POST', PATH);

  expect([refused.code, refused.object['message']]).toEqual([429, 'another backup is under way']);
  slow.destroy();
  await expect.poll(async () => (await bed.call('POST', PATH)).code).toBe(200);
});

it('is a deed in the trail of audit events', async () => {
  await bed.call('POST', PATH);

  const { object } = await bed.call('GET', '/apis/audit.k8s.io/v1/auditevents?fieldSelector=deed%3Dtrue%2Cverb%3Dpost');

  expect(object['items']).toContainEqual(
    expect.objectContaining({ requestURI: PATH, user: expect.objectContaining({ username: 'admin' }) }),
  );
});

async function makeLargeSecret(name: string): Promise<void> {
  const body = { metadata: { name }, stringData: { padding: 'x'.repeat(700_000) } };
  expect((await bed.call('POST', '/api/v1/namespaces/default/secrets', { body })).code).toBe(201);
}

/** Asks for it, and reads nothing but the head of the answer. */
async function beginToFetch(): Promise<IncomingMessage> {
  const { url, ca, adminToken } = bed.server;
  const headers = { authorization: `Bearer ${adminToken}` };
  const sent = request(`${url}${PATH}`, { method: 'POST', headers, ca, agent: false });
  const answers = once(sent, 'response');
  sent.end();
  const [answer]: readonly IncomingMessage[] = await answers;
  if (answer === undefined) throw new Error('there is no answer');
  expect(answer.statusCode).toBe(200);
  return answer;
}
