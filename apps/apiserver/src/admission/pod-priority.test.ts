import type { JsonObject } from '@smalt/json';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openWorld } from '../controllers/fixtures/open-world.ts';
import { startTestServer, type TestServer } from '../fixtures/test-server.ts';
import { podPriority } from './pod-priority.ts';

const CLASSES = '/apis/scheduling.k8s.io/v1/priorityclasses';
const PODS = '/api/v1/namespaces/default/pods';
let api: TestServer;

beforeAll(async () => {
  api = await startTestServer();
  await api.call('POST', CLASSES, { body: priorityClass('urgent', { globalDefault: true }) });
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

it.each(['urgent', 'system-cluster-critical', 'system-node-critical'])(
  'makes a pod of the class %s, and looks at nothing else of it',
  async (priorityClassName) => {
    const made = await api.call('POST', PODS, { body: pod(priorityClassName, { priorityClassName }) });

    expect(made).toMatchObject({ code: 201, object: { spec: { priorityClassName } } });
    expect(made.object['spec']).not.toHaveProperty('priority');
  },
);

it('gives no class to a pod that names none', async () => {
  const made = await api.call('POST', PODS, { body: pod('plain', {}) });

  expect(made.code).toBe(201);
  expect(made.text).not.toContain('priorityClassName');
});

it.each([
  { metadata: { name: 'a' }, known: 'a' },
  { metadata: { generateName: 'some-' }, known: 'some-' },
])('refuses the pod $known, whose class does not exist, with the words of Kubernetes', async ({ metadata, known }) => {
  const body = { ...pod('', { priorityClassName: 'none' }), metadata };

  const refused = await api.call('POST', PODS, { body });

  expect(refused).toMatchObject({
    code: 403,
    object: {
      reason: 'Forbidden',
      message: `pods "${known}" is forbidden: no PriorityClass with name none was found`,
      details: { name: known, kind: 'pods' },
    },
  });
});

it('refuses a pod whose class was chosen by a later step', async () => {
  await using world = await openWorld();
  const choose = ({ object }: { readonly object: JsonObject | undefined }): JsonObject | undefined =>
    object?.['kind'] === 'Pod' ? { ...object, spec: pod('a', { priorityClassName: 'none' })['spec'] ?? {} } : object;
  world.admission.add(podPriority(world.deps.store), { mutate: choose });

  await expect(world.create(pod('a', {}))).rejects.toMatchObject({
    code: 'Forbidden',
    message: expect.stringContaining('no PriorityClass with name none was found'),
  });
});

it('asks for the account of a pod before its class', async () => {
  const body = pod('a', { priorityClassName: 'none', serviceAccountName: 'nobody' });

  const refused = await api.call('POST', PODS, { body });

  expect(refused.object['message']).toContain('serviceaccount "nobody" not found');
});

it('takes changes of a pod whose class is gone', async () => {
  await api.call('POST', CLASSES, { body: priorityClass('brief') });
  await api.call('POST', PODS, { body: pod('lasting', { priorityClassName: 'brief' }) });
  await api.call('DELETE', `${CLASSES}/brief`);
  const headers = { 'content-type': 'application/merge-patch+json' };

  const changed = await api.call('PATCH', `${PODS}/lasting`, { body: { metadata: { labels: { a: 'b' } } }, headers });

  expect(changed.code).toBe(200);
});

function priorityClass(name: string, rest: JsonObject = {}): JsonObject {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value: 1000, ...rest };
}

function pod(name: string, spec: JsonObject): JsonObject {
  const containers = [{ name: 'main', image: 'image:1' }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers, ...spec } };
}
