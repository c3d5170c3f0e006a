import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { JsonObject } from '@smalt/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestServer, type TestServer } from '../fixtures/test-server.ts';
import { metadataText } from '../registry/object-metadata.ts';

const PODS = '/api/v1/namespaces/default/pods';
const SUCCESS = { code: 201, object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } };
const GROUP = 'certificates.k8s.io';
const REQUESTS = `/apis/${GROUP}/v1/certificatesigningrequests`;
const APPROVED = { type: 'Approved', status: 'True', reason: 'Checked', message: 'fine' };
const run = promisify(execFile);
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

  const before = (await api.call('GET', `${PODS}/dry`)).object;
  const answer = await api.call('POST', `${PODS}/dry/binding?dryRun=All`, { body: binding('dry') });

  expect(answer).toMatchObject(SUCCESS);
  expect((await api.call('GET', `${PODS}/dry`)).object).toEqual(before);
});

it('binds a pod to the node that admission chose', async () => {
  await api.call('POST', PODS, { body: pod('moved') });
  api.server.admission.add({
    mutate: ({ object, subresource, name }) =>
      subresource === 'binding' && name === 'moved' && object !== undefined
        ? { ...object, target: { kind: 'Node', name: 'chosen' } }
        : object,
  });

  await api.call('POST', `${PODS}/moved/binding`, { body: binding('moved') });

  expect((await api.call('GET', `${PODS}/moved`)).object).toMatchObject({ spec: { nodeName: 'chosen' } });
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

describe('the approval of a certificate', () => {
  it('is tried without being done', async () => {
    const before = await request('tried');

    const answer = await api.call('PUT', `${REQUESTS}/tried/approval?dryRun=All`, { body: decided(before) });

    expect(answer).toMatchObject({ code: 200, object: { status: { conditions: [{ type: 'Approved' }] } } });
    expect((await api.call('GET', `${REQUESTS}/tried`)).object).toEqual(before);
  });

  it('says what admission made of it', async () => {
    const before = await request('explained');
    api.server.admission.add({
      mutate: ({ object, subresource, name }) =>
        subresource === 'approval' && name === 'explained' && object !== undefined
          ? { ...object, status: { conditions: [{ ...APPROVED, reason: 'Admitted' }] } }
          : object,
    });

    await api.call('PUT', `${REQUESTS}/explained/approval`, { body: decided(before) });

    expect((await api.call('GET', `${REQUESTS}/explained`)).object).toMatchObject({
      status: { conditions: [{ type: 'Approved', reason: 'Admitted' }] },
    });
  });

  it('is decided anew when the request changed while admission was asked', async () => {
    const { metadata: _metadata, ...rest } = await request('raced');
    let asked = 0;
    api.server.admission.add({
      validate: async ({ subresource, name }) => {
        if (subresource !== 'approval' || name !== 'raced' || asked++ > 0) return;
        await patch(`${REQUESTS}/raced`, { metadata: { labels: { team: 'blue' } } });
      },
    });

    const answer = await api.call('PUT', `${REQUESTS}/raced/approval`, {
      body: decided({ ...rest, metadata: { name: 'raced' } }),
    });

    expect(answer).toMatchObject({
      code: 200,
      object: { metadata: { labels: { team: 'blue' } }, status: { conditions: [{ type: 'Approved' }] } },
    });
    expect(asked).toBe(2);
  });

  it('takes a patch of somebody who may approve and not sign', async () => {
    await request('patched');
    await allow('approver', [
      { apiGroups: [GROUP], resources: ['certificatesigningrequests/approval'], verbs: ['update', 'patch'] },
      { apiGroups: [GROUP], resources: ['signers'], resourceNames: ['example.dev/*'], verbs: ['approve'] },
    ]);

    const answer = await patch(`${REQUESTS}/patched/approval`, { status: { conditions: [APPROVED] } }, 'approver');

    expect(answer).toMatchObject({ code: 200, object: { status: { conditions: [{ type: 'Approved' }] } } });
  });

  it('is refused for another request of the same name', async () => {
    const before = await request('reborn');
    const other = { ...before, metadata: { name: 'reborn', uid: 'another' } };

    const answer = await api.call('PUT', `${REQUESTS}/reborn/approval`, { body: decided(other) });

    const uid = metadataText(before, 'uid');
    expect(answer).toMatchObject({
      code: 409,
      object: {
        message: `Operation cannot be fulfilled on certificatesigningrequests.certificates.k8s.io "reborn": StorageError: invalid object, Code: 4, Key: /registry/certificatesigningrequests/reborn, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: another, UID in object meta: ${uid}`,
      },
    });
  });
});

describe('the status of a certificate request', () => {
  it.each(['Approved', 'Denied'])('cannot add that it was %s', async (type) => {
    const name = `sneaky-${type.toLowerCase()}`;
    const before = await request(name);

    const answer = await api.call('PUT', `${REQUESTS}/${name}/status`, {
      body: { ...before, status: { conditions: [{ ...APPROVED, type }] } },
    });

    expect(answer).toMatchObject({
      code: 422,
      object: {
        message: `CertificateSigningRequest.certificates.k8s.io "${name}" is invalid: status.conditions: Forbidden: updates may not add a condition of type "${type}"`,
      },
    });
  });

  it('keeps the decision as it was made', async () => {
    const before = await request('kept');
    const { object } = await api.call('PUT', `${REQUESTS}/kept/approval`, { body: decided(before) });

    const answer = await api.call('PUT', `${REQUESTS}/kept/status`, {
      body: { ...object, status: { conditions: [{ ...APPROVED, reason: 'Forged' }] } },
    });

    expect(answer.code).toBe(200);
    expect(answer.object['status']).toEqual(object['status']);
  });
});

async function request(name: string): Promise<JsonObject> {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '/dev/null'];
  const { stdout } = await run('openssl', ['req', '-new', ...key, '-subj', `/CN=${name}`]);
  const spec = {
    request: Buffer.from(stdout).toString('base64'),
    signerName: 'example.dev/own',
    usages: ['client auth'],
  };
  const body = { apiVersion: `${GROUP}/v1`, kind: 'CertificateSigningRequest', metadata: { name }, spec };
  return (await api.call('POST', REQUESTS, { body })).object;
}

function decided(csr: JsonObject): JsonObject {
  return { ...csr, status: { conditions: [APPROVED] } };
}

function patch(path: string, body: JsonObject, user?: string): ReturnType<TestServer['call']> {
  const impersonation = user === undefined ? {} : { 'impersonate-user': user };
  const headers = { 'content-type': 'application/merge-patch+json', ...impersonation };
  return api.call('PATCH', path, { body, headers });
}

async function allow(user: string, rules: readonly JsonObject[]): Promise<void> {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const [apiVersion, apiGroup] = ['rbac.authorization.k8s.io/v1', 'rbac.authorization.k8s.io'];
  const metadata = { name: user };
  await api.call('POST', `${rbac}/clusterroles`, { body: { apiVersion, kind: 'ClusterRole', metadata, rules } });
  const roleRef = { apiGroup, kind: 'ClusterRole', name: user };
  const subjects = [{ apiGroup, kind: 'User', name: user }];
  const body = { apiVersion, kind: 'ClusterRoleBinding', metadata, roleRef, subjects };
  await api.call('POST', `${rbac}/clusterrolebindings`, { body });
}

function pod(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } };
}

function binding(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: 'n1' } };
}
