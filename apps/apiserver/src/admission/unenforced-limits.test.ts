import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestServer, type TestServer } from '../fixtures/test-server.ts';

const NAMESPACE = '/api/v1/namespaces/default';
let api: TestServer;

beforeAll(async () => {
  api = await startTestServer();
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

it('stores a quota, says that nothing enforces it, and lets more pass than it allows', async () => {
  const quota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q' },
    spec: { hard: { configmaps: '0' } },
  };
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

  const made = await api.call('POST', `${NAMESPACE}/resourcequotas`, { body: quota });
  const beyond = await api.call('POST', `${NAMESPACE}/configmaps`, { body });

  expect([made.code, beyond.code]).toEqual([201, 201]);
  expect(made.headers['warning']).toBe('299 - "spec.hard: this server stores quotas and enforces none"');
  expect(beyond.headers['warning']).toBeUndefined();
});

it('says the same of a limit range, also when it is changed', async () => {
  const limits = [{ type: 'Container', max: { cpu: '1' } }];
  const range = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' }, spec: { limits } };
  const headers = { 'content-type': 'application/merge-patch+json' };
  const warning = '299 - "spec.limits: this server stores limit ranges and enforces none"';

  const made = await api.call('POST', `${NAMESPACE}/limitranges`, { body: range });
  const changed = await api.call('PATCH', `${NAMESPACE}/limitranges/l`, { body: { spec: { limits: [] } }, headers });
  const gone = await api.call('DELETE', `${NAMESPACE}/limitranges/l`);

  expect([made, changed].map((answer) => [answer.code, answer.headers['warning']])).toEqual([
    [201, warning],
    [200, warning],
  ]);
  expect([gone.code, gone.headers['warning']]).toEqual([200, undefined]);
});
