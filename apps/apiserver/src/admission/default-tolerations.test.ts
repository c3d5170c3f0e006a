import type { JsonObject } from '@smalt/json';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestServer, type TestServer } from '../fixtures/test-server.ts';

const PODS = '/api/v1/namespaces/default/pods';
const forever = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' };
const notReady = { ...forever, tolerationSeconds: 300 };
const unreachable = { ...notReady, key: 'node.kubernetes.io/unreachable' };
let api: TestServer;

beforeAll(async () => {
  api = await startTestServer();
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

it.each([
  { what: 'none', own: undefined, added: [notReady, unreachable] },
  { what: 'one for another taint', own: [{ ...forever, key: 'disk' }], added: [notReady, unreachable] },
  { what: 'one for another effect', own: [{ ...forever, effect: 'NoSchedule' }], added: [notReady, unreachable] },
  { what: 'one without an end', own: [forever], added: [unreachable] },
  { what: 'one for a value', own: [{ ...forever, operator: 'Equal', value: 'x' }], added: [unreachable] },
  { what: 'one for all effects', own: [{ key: forever.key, operator: 'Exists' }], added: [unreachable] },
  { what: 'one for all taints', own: [{ operator: 'Exists' }], added: [] },
  { what: 'one for all taints of that effect', own: [{ operator: 'Exists', effect: 'NoExecute' }], added: [] },
])('gives a pod with $what the tolerations of Kubernetes that it lacks', async ({ what, own, added }) => {
  const name = what.replaceAll(' ', '-');

  const made = await api.call('POST', PODS, { body: pod(name, own === undefined ? {} : { tolerations: own }) });

  expect(made).toMatchObject({ code: 201, object: { spec: { tolerations: [...(own ?? []), ...added] } } });
});

it('counts them to nobody, and leaves those of a changed pod as they are', async () => {
  const made = await api.call('POST', PODS, { body: pod('changed', {}) });
  const body = { metadata: { labels: { a: 'b' } } };
  const headers = { 'content-type': 'application/merge-patch+json' };
  const changed = await api.call('PATCH', `${PODS}/changed`, { body, headers });

  expect(JSON.stringify(made.object['metadata'])).not.toContain('f:tolerations');
  expect(changed).toMatchObject({ code: 200, object: { spec: { tolerations: [notReady, unreachable] } } });
});

it('adds none to the template of a workload', async () => {
  const template = { metadata: { labels: { app: 'a' } }, spec: pod('a', {})['spec'] ?? {} };
  const spec = { selector: { matchLabels: { app: 'a' } }, template };
  const body = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec };

  const made = await api.call('POST', '/apis/apps/v1/namespaces/default/deployments', { body });

  expect(made.code).toBe(201);
  expect(made.text).not.toContain('tolerations');
});

function pod(name: string, spec: JsonObject): JsonObject {
  const containers = [{ name: 'main', image: 'image:1' }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers, ...spec } };
}
