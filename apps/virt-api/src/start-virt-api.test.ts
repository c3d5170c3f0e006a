import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:tls';

import { isKubeError, type KubeError } from '@smalt/kube';
import { fieldOf } from '@smalt/kubernetes-callers';
import { virtualMachineInstanceKind, virtualMachineKind } from '@smalt/vm-api';
import { openWebSocket } from '@smalt/websocket';
import { makeSelfSigned } from '@smalt/x509';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { nodeKind } from './cluster/kubernetes-kinds.ts';
import { ask, type Asked } from './fixtures/ask.ts';
import { createChoices } from './fixtures/choices.ts';
import { instanceDraft, machineDraft } from './fixtures/machines.ts';
import { startServedBed, type ServedBed } from './fixtures/served-bed.ts';

const SUBRESOURCES = '/apis/subresources.kubevirt.io/v1';
const ROOT = `${SUBRESOURCES}/namespaces/default`;
const signal = AbortSignal.timeout(120_000);
let bed: ServedBed;
let authority: string;

beforeAll(async () => {
  bed = await startServedBed(signal);
  const path = '/apis/apiregistration.k8s.io/v1/apiservices/v1.subresources.kubevirt.io';
  await vi.waitUntil(async () => (await conditionsOf(path)).includes('"status":"True"'), 20_000);
  const service = fieldOf(await bed.admin.request({ method: 'GET', path }), 'spec');
  authority = Buffer.from(String(fieldOf(service, 'caBundle')), 'base64').toString('utf8');
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('webhooks', () => {
  it('fill in and refuse what the API server asks about', async () => {
    const instances = bed.admin.resource(virtualMachineInstanceKind);

    const created = await instances.create(instanceDraft('asked'));
    const refused = await failureOf(instances.create(instanceDraft('bad', { hypervisor: 'bhyve' })));

    expect(created).toMatchObject({ spec: { hypervisor: 'qemu-kvm' }, status: { phase: 'Pending' } });
    expect(refused.httpStatus).toBe(422);
    expect(refused.message).toContain('spec.hypervisor is not a known driver: bhyve');
    expect(refused.status?.details?.causes).toMatchObject([{ field: 'spec.hypervisor' }]);
  });

  it('look up what machines choose, with the rights that virt-api has', async () => {
    const { instancetype, preference, template } = await createChoices(bed.admin);
    const machines = bed.admin.resource(virtualMachineKind);

    const created = await machines.create(machineDraft('chosen', { instancetype, preference, template }));
    const refused = await failureOf(machines.create(machineDraft('both', { instancetype })));

    expect(created.spec.preference).toEqual({ name: 'modern' });
    expect(created.spec.template.spec?.domain.machine?.type).toBe('pc-q35-9.2');
    expect(refused.status?.details?.causes).toMatchObject([{ field: 'spec.template.spec.domain.memory.guest' }]);
  });

  it('give back the status that somebody from outside has written', async () => {
    const instances = bed.admin.resource(virtualMachineInstanceKind);
    const created = await instances.create(instanceDraft('guarded'));

    const written = await instances.replace({ ...created, status: { phase: 'Running' } });

    expect(written.status?.phase).toBe('Pending');
  });

  it('keep a launcher pod until its guest has moved', async () => {
    const spec = { containers: [{ name: 'compute', image: 'launcher' }] };
    const metadata = { name: 'virt-launcher-gone', ...launcherMarks('gone') };
    const path = '/api/v1/namespaces/default/pods';
    await bed.admin.request({ method: 'POST', path, body: JSON.stringify({ metadata, spec }) });
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: metadata.name } };

    const { code, object } = await ask('POST', `${bed.config.server}${path}/${metadata.name}/eviction`, {
      ca: authorityOfServer(),
      ...adminIdentity(),
      body: eviction,
    });

    expect([code, object['message']]).toEqual([429, expect.stringContaining('kubevirt failed getting the vmi')]);
  });

  it('tell a guest to move on the word of no stranger: only off a cordoned node, for who may evict its pod', async () => {
    const instances = bed.admin.resource(virtualMachineInstanceKind);
    await instances.create(instanceDraft('wanted', { evictionStrategy: 'LiveMigrate' }));
    await letRun('wanted');
    const metadata = { name: 'virt-launcher-wanted', ...launcherMarks('wanted') };
    const body = JSON.stringify({ metadata, spec: { nodeName: 'n1', containers: [{ name: 'compute', image: 'x' }] } });
    await bed.admin.request({ method: 'POST', path: '/api/v1/namespaces/default/pods', body });
    const mark = async (): Promise<unknown> =>
      (await instances.get('wanted', { namespace: 'default' })).status?.evacuationNodeName;

    const root = { username: 'root', groups: ['system:masters'] };
    const forged = await reviewEviction(metadata.name, root);
    await bed.admin.resource(nodeKind).patch('n1', 'merge', { spec: { unschedulable: true } });
    const nobody = await reviewEviction(metadata.name, { username: 'nobody' });
    const unmarked = await mark();
    const drained = await reviewEviction(metadata.name, root);

    const why = expect.stringContaining('the node n1 is not cordoned, and nothing shows that the API server sent');
    expect(forged).toMatchObject({ allowed: false, status: { code: 429, message: why } });
    expect(nobody).toMatchObject({ allowed: false, status: { code: 403, message: expect.stringContaining('nobody') } });
    expect(unmarked).toBeUndefined();
    expect(drained).toMatchObject({ allowed: false, status: { code: 429 } });
    expect(await mark()).toBe('n1');
  });

  it.each([
    ['nothing', '', 'this is no AdmissionReview'],
    ['a list', '[]', 'it is no object'],
    ['another kind', '{"kind":"Pod"}', 'kind and apiVersion have to be AdmissionReview'],
    ['no request', review({ request: 1 }), 'request is missing'],
    [
      'an unknown operation',
      review({ request: { uid: 'u', operation: 'DANCE' } }),
      'request.operation has to be one of',
    ],
    ['no uid', review({ request: { operation: 'CREATE' } }), 'request.uid is missing'],
  ])('say what is wrong with %s', async (_, body, message) => {
    const answer = await ask('POST', `${own()}/virtualmachines-validate`, { ca: authority, body });

    expect([answer.code, answer.object['message']]).toEqual([400, expect.stringContaining(message)]);
  });

  it('refuse objects that do not have the form of their kind', async () => {
    const resource = { group: 'kubevirt.io', version: 'v1', resource: 'virtualmachines' };
    const request = {
      uid: 'u',
      operation: 'CREATE',
      resource,
      object: { metadata: { name: 'x' }, spec: { template: [] } },
    };

    const checked = await ask('POST', `${own()}/virtualmachines-validate`, {
      ca: authority,
      body: review({ request }),
    });
    const filled = await ask('POST', `${own()}/virtualmachines-mutate`, { ca: authority, body: review({ request }) });

    expect(checked.object).toMatchObject({ response: { uid: 'u', allowed: false, status: { code: 422 } } });
    expect(filled.object).toMatchObject({ response: { uid: 'u', allowed: true } });
    expect(fieldOf(filled.object['response'], 'patch')).toBeUndefined();
  });
});

describe('subresources behind an APIService', () => {
  it('are served to those who may', async () => {
    await bed.admin.resource(virtualMachineKind).create(machineDraft('machine'));
    const [nobody, ann] = await Promise.all([bed.token('nobody'), bed.token('ann')]);
    await bindEdit('ann');
    const url = `${bed.config.server}${ROOT}/virtualmachines/machine/start`;

    const before = await ask('PUT', url, { ca: authorityOfServer(), token: nobody, body: '' });
    const after = await ask('PUT', url, { ca: authorityOfServer(), token: ann, body: '' });

    const machine = await bed.admin.resource(virtualMachineKind).get('machine', { namespace: 'default' });
    expect([before.code, after.code, machine.spec.runStrategy]).toEqual([403, 202, 'Always']);
  });

  it('carry a console', async () => {
    await bed.admin.resource(virtualMachineInstanceKind).create(instanceDraft('screen'));
    const token = await bed.token('kubevirt-controller');
    await bindAdmin('kubevirt-controller');
    const status = JSON.stringify({ status: { phase: 'Running', nodeName: 'n1' } });
    const path = `/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstances/screen`;
    const patched = await ask('PATCH', `${bed.config.server}${path}`, {
      ca: authorityOfServer(),
      token,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: status,
    });

    await using stream = await openWebSocket({
      url: new URL(`${bed.config.server}${ROOT}/virtualmachineinstances/screen/console`),
      headers: { authorization: `Bearer ${token}` },
      tls: { ca: authorityOfServer() },
      protocols: ['plain.kubevirt.io'],
      signal,
    });
    await stream.write(Buffer.from('hello'));
    const said = [];
    for await (const bytes of stream) {
      said.push(Buffer.from(bytes).toString());
      if (said.join('').length >= 5) break;
    }

    expect(patched.code).toBe(200);
    expect(said.join('')).toBe('hello');
  });

  it.each([
    ['stranger', 403],
    ['operator', 101],
  ])('show %s what a node uses, or do not: %d', async (name, expected) => {
    const token = await bed.token(name);
    if (expected === 101) await bindAdmin(name);
    const opening = openWebSocket({
      url: new URL(`${bed.config.server}${SUBRESOURCES}/nodes/n1/usage`),
      headers: { authorization: `Bearer ${token}` },
      tls: { ca: authorityOfServer() },
      protocols: ['plain.kubevirt.io'],
      signal,
    });

    const end = await opening.then(
      async (stream) => {
        await stream.close();
        return 101;
      },
      (error: unknown) => fieldOf(error, 'httpStatus'),
    );

    expect(end).toBe(expected);
  });

  it.each([
    ['shows nothing', {}],
    ['says who it is', { headers: { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' } }],
    ['shows a certificate of its own making', { ...impostor(), headers: { 'x-remote-user': 'admin' } }],
  ])('are closed to one who comes by itself and %s', async (_, given) => {
    const url = `${own()}${ROOT}/virtualmachines/machine/stop`;

    const answer = await ask('PUT', url, { ca: authority, body: '', ...given });

    expect([answer.code, answer.object['reason']]).toEqual([401, 'Unauthorized']);
  });

  it.each([
    '/',
    '/apis',
    '/apis/subresources.kubevirt.io',
    SUBRESOURCES,
    `${SUBRESOURCES}/version`,
    '/openapi/v2',
    '/openapi/v3',
    `/openapi/v3${SUBRESOURCES}`,
    '/healthz',
  ])('tell everybody what there is at %s', async (path) => {
    const answer = await ask('GET', `${own()}${path}`, { ca: authority });

    expect(answer.code).toBe(200);
  });
});

describe('the certificate', () => {
  it('is one for all replicas, in names that the API server asks for', async () => {
    const replica = await bed.replica();

    const [first, second] = await Promise.all([shownAt(bed.port), shownAt(replica.port)]);

    expect(first.fingerprint256).toBe(second.fingerprint256);
    expect(first.checkHost('virt-api.smalt-system.svc')).toBe('virt-api.smalt-system.svc');
  });

  it('and its key are in no line of the log', () => {
    expect(bed.lines.join('')).not.toContain('PRIVATE KEY');
    expect(bed.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

function own(): string {
  return `https://${bed.host}:${bed.port}`;
}

function authorityOfServer(): string {
  const { authority: from } = bed.config.tls;
  return from?.kind === 'text' ? from.text : '';
}

function adminIdentity(): Pick<Asked, 'cert' | 'key' | 'token'> {
  const { identity } = bed.config;
  if (identity.kind === 'token' && identity.token.kind === 'text') return { token: identity.token.text };
  if (identity.kind !== 'certificate' || identity.certificate.kind !== 'text' || identity.key.kind !== 'text') {
    throw new TypeError('nothing shows who the administrator is');
  }
  return { cert: identity.certificate.text, key: identity.key.text };
}

function launcherMarks(name: string): object {
  return { labels: { 'kubevirt.io': 'virt-launcher' }, annotations: { 'kubevirt.io/domain': name } };
}

/** Makes an instance run on n1 and fit to move, as the controller would have it. */
async function letRun(name: string): Promise<void> {
  const token = await bed.token('smalt-virt-controller');
  await bindAdmin('smalt-virt-controller');
  const conditions = [{ type: 'LiveMigratable', status: 'True' }];
  const path = `/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstances/${name}`;
  await ask('PATCH', `${bed.config.server}${path}`, {
    ca: authorityOfServer(),
    token,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ status: { phase: 'Running', nodeName: 'n1', conditions } }),
  });
}

/** What the webhook answers to a review that anybody could have sent. */
async function reviewEviction(name: string, userInfo: object): Promise<unknown> {
  const resource = { group: '', version: 'v1', resource: 'pods' };
  const object = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'default' } };
  const about = { uid: 'u', operation: 'CREATE', resource, subResource: 'eviction', namespace: 'default', name };
  const body = review({ request: { ...about, object, userInfo } });
  const { object: answer } = await ask('POST', `${own()}/pod-eviction-validate`, { ca: authority, body });
  return answer['response'];
}

function review(fields: object): string {
  return JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', ...fields });
}

function impostor(): { readonly key: string; readonly cert: string } {
  const days = { now: new Date(), days: 1 };
  const { key, certificate } = makeSelfSigned({ commonName: 'front-proxy-client', names: [], ...days });
  return { key, cert: certificate };
}

async function conditionsOf(path: string): Promise<string> {
  return JSON.stringify(fieldOf(fieldOf(await bed.admin.request({ method: 'GET', path }), 'status'), 'conditions'));
}

async function shownAt(port: number): Promise<X509Certificate> {
  const socket = connect({ host: bed.host, port, ca: authority });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  if (certificate === undefined) throw new Error('no certificate was shown');
  return certificate;
}

async function bindEdit(name: string): Promise<void> {
  await bind(name, 'kubevirt.io:edit');
}

async function bindAdmin(name: string): Promise<void> {
  await bind(name, 'cluster-admin');
}

async function bind(name: string, role: string): Promise<void> {
  const binding = {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name, namespace: 'smalt-system' }],
  };
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  await bed.admin.request({ method: 'POST', path, body: JSON.stringify(binding) });
}

async function failureOf(writing: Promise<unknown>): Promise<KubeError> {
  const error = await writing.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (!isKubeError(error)) throw new Error('the write was taken', { cause: error });
  return error;
}
