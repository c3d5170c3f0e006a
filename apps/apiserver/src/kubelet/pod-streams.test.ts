import { readFile } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { dirname, join } from 'node:path';

import { isJsonObject, parseJson, type JsonObject } from '@smalt/json';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { startStandIn, type StandIn } from '../aggregation/fixtures/https-stand-in.ts';
import { forbiddenError } from '../errors/make-status-error.ts';
import { startTestServer, type TestServer } from '../fixtures/test-server.ts';
import { CertificateAuthority } from '../identity/certificate-authority.ts';
import { textAt } from '../identity/object-fields.ts';
import type { AdmissionReview } from '../registry/admission.ts';

const PODS = '/api/v1/namespaces/default/pods';
let api: TestServer;
let kubelet: StandIn;
let requests: string[] = [];
let admit: (review: AdmissionReview) => JsonObject | undefined = ({ object }) => object;

beforeAll(async () => {
  api = await startTestServer();
  const directory = dirname(api.server.kubeconfig);
  const [certificate = '', key = ''] = await Promise.all(
    ['ca.crt', 'ca.key'].map((name) => readFile(join(directory, name), 'utf8')),
  );
  const authority = new CertificateAuthority({ certificate, key });
  kubelet = await startStandIn({
    names: ['127.0.0.1'],
    authority,
    clientCa: api.server.ca,
    handle: (_request, response) => response.end(),
  });
  kubelet.server.on('upgrade', (request, socket) => {
    requests.push(request.url ?? '');
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  });
  api.server.admission.add({ mutate: (review) => admit(review) });
  await post('/api/v1/nodes', node());
  await post(PODS, pod('one'));
});

afterAll(async () => {
  await kubelet[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

describe('admission', () => {
  it('is asked about a stream, and can refuse it', async () => {
    const seen: AdmissionReview[] = [];
    admit = (review) => {
      if (review.operation !== 'CONNECT') return review.object;
      seen.push(review);
      throw forbiddenError(review.resource, review.name, 'not today');
    };
    requests = [];

    const answer = await connect(`${PODS}/one/exec?command=sh&command=-c&stdin=true&container=main`);

    admit = ({ object }) => object;
    expect(answer).toMatchObject({ code: 403, body: { message: 'pods "one" is forbidden: not today' } });
    expect(requests).toEqual([]);
    const object = {
      kind: 'PodExecOptions',
      apiVersion: 'v1',
      stdin: true,
      container: 'main',
      command: ['sh', '-c'],
    };
    expect(seen).toMatchObject([{ subresource: 'exec', namespace: 'default', name: 'one', object }]);
  });

  it('can change what is asked for', async () => {
    admit = ({ object, operation }) => (operation === 'CONNECT' ? { ...object, command: ['true'] } : object);
    requests = [];

    const answer = await connect(`${PODS}/one/exec?command=sh`);

    admit = ({ object }) => object;
    expect(answer.code).toBe(101);
    expect(requests).toEqual(['/exec/default/one/main?command=true']);
  });

  it.each(['exec?command=sh', 'attach?stdin=true', 'portforward?ports=80'])(
    'by a policy can refuse pods/%s',
    async (stream) => {
      const [subresource = ''] = stream.split('?');
      await using _policy = await policyAgainst(subresource);

      const answer = await connect(`${PODS}/one/${stream}`);

      const why = `ValidatingAdmissionPolicy 'no-${subresource}' with binding 'no-${subresource}' denied request: no streams`;
      expect(answer).toMatchObject({ code: 422, body: { message: `pods "one" is forbidden: ${why}` } });
    },
  );
});

it('wants the right to create a stream even when it starts with GET', async () => {
  await grant('reader', ['get']);
  await grant('runner', ['get', 'create']);

  const [reader, runner] = [
    await connect(`${PODS}/one/exec?command=x`, { 'impersonate-user': 'reader' }),
    await connect(`${PODS}/one/exec?command=x`, { 'impersonate-user': 'runner' }),
  ];

  expect(reader).toMatchObject({
    code: 403,
    body: {
      message:
        'pods "one" is forbidden: User "reader" cannot create resource "pods/exec" in API group "" in the namespace "default"',
    },
  });
  expect(runner.code).toBe(101);
});

it.each([
  ['GET', '/api/v1/namespaces/default/pods/one/exec/more', 404],
  ['GET', '/api/v2/namespaces/default/pods/one/exec', 404],
  ['PUT', '/api/v1/namespaces/default/pods/one/exec', 405],
  ['GET', '/api/v1/namespaces/default/pods/one/portforward?ports=http', 400],
])('refuses %s %s with %i', async (method, path, code) => {
  expect(await connect(path, {}, method)).toMatchObject({ code });
});

it('writes a stream down when it starts and when it ends, and counts it', async () => {
  await connect(`${PODS}/one/attach?stdin=true`, { 'audit-id': 'stream-1' });
  await connect(`${PODS}/none/attach?stdin=true`, { 'audit-id': 'stream-2' });

  const attach = { verb: 'get', objectRef: { resource: 'pods', subresource: 'attach', namespace: 'default' } };
  await vi.waitFor(async () => expect(await auditEvents('stream-2')).toHaveLength(1));
  expect(await auditEvents('stream-1')).toMatchObject([
    { ...attach, stage: 'ResponseStarted', responseStatus: { code: 101 }, user: { username: 'admin' } },
    { ...attach, stage: 'ResponseComplete', responseStatus: { code: 101 }, user: { username: 'admin' } },
  ]);
  expect(await auditEvents('stream-2')).toMatchObject([
    { ...attach, stage: 'ResponseComplete', responseStatus: { code: 404, reason: 'NotFound' } },
  ]);
  const metrics = await api.call('GET', '/metrics');
  const labels = 'verb="CONNECT",group="",version="v1",resource="pods",subresource="attach",scope="resource"';
  expect(metrics.text).toContain(`apiserver_request_total{${labels},code="101"} 1`);
  expect(metrics.text).toContain(`apiserver_request_total{${labels},code="404"} 1`);
  expect(metrics.text).not.toContain('apiserver_request_duration_seconds_count{verb="CONNECT"');
});

interface Answer {
  readonly code: number;
  readonly body: unknown;
}

function connect(path: string, more: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { url, ca, adminToken } = api.server;
  const headers = { connection: 'Upgrade', upgrade: 'echo', authorization: `Bearer ${adminToken}`, ...more };
  return new Promise((resolve, reject) => {
    const request = httpsRequest(`${url}${path}`, { ca, headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve({ code: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
      });
    });
    request.on('upgrade', (response, socket) => {
      socket.once('close', () => resolve({ code: response.statusCode ?? 0, body: undefined }));
      socket.resume();
      socket.end();
    });
    request.on('error', reject);
    request.end();
  });
}

async function auditEvents(auditId: string): Promise<readonly JsonObject[]> {
  const text = await readFile(join(dirname(api.server.kubeconfig), '..', 'audit.log'), 'utf8');
  const events = text
    .trim()
    .split('\n')
    .map((line) => parseJson(line));
  return events.filter(isJsonObject).filter((event) => textAt(event, 'auditID') === auditId);
}

async function post(path: string, body: JsonObject): Promise<void> {
  const { code, text } = await api.call('POST', path, { body });
  if (code !== 201) throw new Error(text);
}

async function grant(user: string, verbs: readonly string[]): Promise<void> {
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const rules = [{ apiGroups: [''], resources: ['pods/exec'], verbs }];
  await post(`${rbac}/roles`, { apiVersion, kind: 'Role', metadata: { name: user }, rules });
  await post(`${rbac}/rolebindings`, {
    apiVersion,
    kind: 'RoleBinding',
    metadata: { name: user },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: user },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  });
}

async function policyAgainst(subresource: string): Promise<AsyncDisposable> {
  const group = '/apis/admissionregistration.k8s.io/v1';
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const metadata = { name: `no-${subresource}` };
  const rule = {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['CONNECT'],
    resources: [`pods/${subresource}`],
  };
  const validations = [{ expression: 'request.operation != "CONNECT"', message: 'no streams' }];
  const spec = { matchConstraints: { resourceRules: [rule] }, validations };
  await post(`${group}/validatingadmissionpolicies`, {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata,
    spec,
  });
  await post(`${group}/validatingadmissionpolicybindings`, {
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata,
    spec: { policyName: metadata.name, validationActions: ['Deny'] },
  });
  return {
    [Symbol.asyncDispose]: async () => {
      await api.call('DELETE', `${group}/validatingadmissionpolicybindings/${metadata.name}`);
      await api.call('DELETE', `${group}/validatingadmissionpolicies/${metadata.name}`);
    },
  };
}

function node(): JsonObject {
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: kubelet.port } },
  };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, status };
}

function pod(name: string): JsonObject {
  const spec = { nodeName: 'n1', containers: [{ name: 'main', image: 'i' }] };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec };
}
