import type { JsonObject } from '@smalt/json';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestServer, type TestServer } from '../fixtures/test-server.ts';

const PODS = '/api/v1/namespaces/default/pods';
const SUCCESS = { code: 201, object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } };
let api: TestServer;

beforeAll(async () => {
  api = await startTestServer();
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

it('binds a pod, by its own path and by that of bindings', async () => {
  for (const name of ['a', 'b']) await api.call('POST', PODS, { body: pod(name) });

  const own = await api.call('POST', `${PODS}/a/binding`, { body: binding('a') });
  const other = await api.call('POST', '/api/v1/namespaces/default/bindings', { body: binding('b') });

  expect([own, other]).toMatchObject([SUCCESS, SUCCESS]);
  expect((await api.call('GET', `${PODS}/b`)).object).toMatchObject({ spec: { nodeName: 'n1' } });
});

it('tries a binding without doing it', async () => {
  await api.call('POST', PODS, { body: pod('dry') });

  await api.call('POST', `${PODS}/dry/binding?dryRun=All`, { body: binding('dry') });

  expect((await api.call('GET', `${PODS}/dry`)).object['spec']).not.toHaveProperty('nodeName');
});

it('evicts a pod', async () => {
  await api.call('POST', PODS, { body: pod('gone') });
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'gone', namespace: 'default' } };

  const answer = await api.call('POST', `${PODS}/gone/eviction`, { body });

  expect(answer).toMatchObject(SUCCESS);
  expect((await api.call('GET', `${PODS}/gone`)).code).toBe(404);
});

it('lets the finalizers of a namespace be changed only by their own path', async () => {
  const { object } = await api.call('POST', '/api/v1/namespaces', {
    body: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'held' },
      spec: { finalizers: ['example.dev/hold'] },
    },
  });
  const free = { ...object, spec: { finalizers: ['kubernetes'] } };
  const plain = await api.call('PUT', '/api/v1/namespaces/held', { body: { ...free, metadata: { name: 'held' } } });

  const finalized = await api.call('PUT', '/api/v1/namespaces/held/finalize', {
    body: { ...free, metadata: { name: 'held' } },
  });

  expect(plain.object).toMatchObject({ spec: { finalizers: ['example.dev/hold', 'kubernetes'] } });
  expect(finalized).toMatchObject({ code: 200, object: { spec: { finalizers: ['kubernetes'] } } });
});

it('refuses to approve what was never requested', async () => {
  const answer = await api.call('PUT', '/apis/certificates.k8s.io/v1/certificatesigningrequests/none/approval', {
    body: { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name: 'none' } },
  });

  expect(answer).toMatchObject({ code: 404 });
});

function pod(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } };
}

function binding(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: 'n1' } };
}
