import type { JsonObject } from '@smalt/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openWorld } from '../controllers/fixtures/open-world.ts';
import { startTestServer, type TestServer } from '../fixtures/test-server.ts';
import { PodAccounts } from './pod-accounts.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const PODS = `${NAMESPACE}/pods`;
const LONG_MS = 3_600_000;

describe('on a server', () => {
  let api: TestServer;

  beforeAll(async () => {
    api = await startTestServer();
    await api.call('POST', `${NAMESPACE}/serviceaccounts`, { body: account('web', [{ name: 'a' }, { name: 'b' }]) });
    await api.call('POST', `${NAMESPACE}/serviceaccounts`, { body: account('plain') });
  });

  afterAll(async () => {
    await api[Symbol.asyncDispose]();
  });

  it.each([
    { what: 'none', spec: {}, as: 'default' },
    { what: 'an account', spec: { serviceAccountName: 'plain' }, as: 'plain' },
    { what: 'an account by the old name of the field', spec: { serviceAccount: 'plain' }, as: 'plain' },
    { what: 'different ones', spec: { serviceAccountName: 'plain', serviceAccount: 'no' }, as: 'plain' },
  ])('runs a pod that names $what as $as', async ({ what, spec, as }) => {
    const made = await api.call('POST', PODS, { body: pod(what.replaceAll(' ', '-'), spec) });

    expect(made).toMatchObject({ code: 201, object: { spec: { serviceAccountName: as, serviceAccount: as } } });
  });

  it.each([
    { account: 'web', own: undefined, used: [{ name: 'a' }, { name: 'b' }] },
    { account: 'web', own: [], used: [{ name: 'a' }, { name: 'b' }] },
    { account: 'web', own: [{ name: 'c' }], used: [{ name: 'c' }] },
    { account: 'plain', own: undefined, used: undefined },
  ])('pulls images as $account with $used where the pod says $own', async ({ account: name, own, used }) => {
    const spec = { serviceAccountName: name, ...(own === undefined ? {} : { imagePullSecrets: own }) };

    const made = await api.call('POST', `${PODS}?dryRun=All`, { body: pod('puller', spec) });

    expect(made.code).toBe(201);
    expect(made.object['spec']).toEqual(expect.objectContaining({ serviceAccountName: name }));
    expect(Object(made.object['spec']).imagePullSecrets).toEqual(used);
  });

  it.each([
    { metadata: { name: 'a' }, known: 'a' },
    { metadata: { generateName: 'some-' }, known: 'some-' },
  ])(
    'refuses the pod $known, whose account does not exist, with the words of Kubernetes',
    async ({ metadata, known }) => {
      const body = { ...pod('', { serviceAccountName: 'nobody' }), metadata };

      const refused = await api.call('POST', PODS, { body });

      expect(refused).toMatchObject({
        code: 403,
        object: {
          reason: 'Forbidden',
          message: `pods "${known}" is forbidden: error looking up service account default/nobody: serviceaccount "nobody" not found`,
          details: { name: known, kind: 'pods' },
        },
      });
    },
  );

  it('makes a pod right after its namespace', async () => {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'new' } };
    await api.call('POST', '/api/v1/namespaces', { body });

    const made = await api.call('POST', '/api/v1/namespaces/new/pods', { body: pod('early', {}) });

    expect(made).toMatchObject({ code: 201, object: { spec: { serviceAccountName: 'default' } } });
  });

  it('counts the account to nobody, and gives none to a pod that is there already or to a template', async () => {
    const template = { metadata: { labels: { app: 'a' } }, spec: pod('a', {})['spec'] ?? {} };
    const spec = { selector: { matchLabels: { app: 'a' } }, template };
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec };

    const made = await api.call('POST', PODS, { body: pod('owned', {}) });
    const deployed = await api.call('POST', '/apis/apps/v1/namespaces/default/deployments', { body: deployment });

    expect(JSON.stringify(made.object['metadata'])).not.toContain('f:serviceAccount');
    expect(deployed.code).toBe(201);
    expect(deployed.text).not.toContain('serviceAccount');
  });

  it('leaves the mirror of a pod of a node as it is, and refuses one that names an account', async () => {
    const annotations = { 'kubernetes.io/config.mirror': 'hash' };
    const mirror = (spec: JsonObject): JsonObject => ({ ...pod('m', spec), metadata: { name: 'm', annotations } });

    const refused = await api.call('POST', PODS, { body: mirror({ serviceAccountName: 'plain' }) });
    const made = await api.call('POST', PODS, { body: mirror({}) });

    expect(refused).toMatchObject({
      code: 403,
      object: { message: 'pods "m" is forbidden: a mirror pod may not reference service accounts' },
    });
    expect(made.code).toBe(201);
    expect(made.text).not.toContain('serviceAccount');
  });
});

// On a server `default` comes at once, so that these are about a store in which nobody makes it.
describe('where the account default is missing', () => {
  it('waits for it, and not for other accounts', async () => {
    await using world = await openWorld();
    world.admission.add(new PodAccounts(world.deps.store, LONG_MS));

    const made = world.create(pod('a', {}));
    await world.create(account('web'));
    await world.create({ ...account('default'), metadata: { name: 'default', namespace: 'default' } });

    expect(await made).toMatchObject({ spec: { serviceAccountName: 'default' } });
    await expect(world.create(pod('b', { serviceAccountName: 'nobody' }))).rejects.toMatchObject({ code: 'Forbidden' });
  });

  it('refuses the pod when it does not come', async () => {
    await using world = await openWorld();
    world.admission.add(new PodAccounts(world.deps.store, 1));

    await expect(world.create(pod('a', {}))).rejects.toMatchObject({
      code: 'Forbidden',
      message: expect.stringContaining('serviceaccount "default" not found'),
    });
  });

  it('waits no longer than whoever asks', async () => {
    await using world = await openWorld();
    const gone = new AbortController();
    world.admission.add(new PodAccounts(world.deps.store, LONG_MS));
    const { registry, contextFor } = world.deps;
    const make = (): Promise<unknown> =>
      registry.create(world.resource('Pod'), 'default', pod('a', {}), contextFor(gone.signal));

    const waiting = make();
    gone.abort(new Error('the client has gone away'));

    await expect(waiting).rejects.toThrow('the client has gone away');
    await expect(make()).rejects.toThrow('the client has gone away');
  });

  it('refuses a pod whose account was taken away by a later step', async () => {
    await using world = await openWorld();
    await world.create(account('web'));
    const steal = ({ object }: { readonly object: JsonObject | undefined }): JsonObject | undefined =>
      object?.['kind'] === 'Pod'
        ? { ...object, spec: pod('a', { serviceAccountName: 'nobody' })['spec'] ?? {} }
        : object;
    world.admission.add(new PodAccounts(world.deps.store), { mutate: steal });

    await expect(world.create(pod('a', { serviceAccountName: 'web' }))).rejects.toMatchObject({
      code: 'Forbidden',
      message: expect.stringContaining('serviceaccount "nobody" not found'),
    });
  });
});

function account(name: string, imagePullSecrets: JsonObject[] = []): JsonObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'default' }, imagePullSecrets };
}

function pod(name: string, spec: JsonObject): JsonObject {
  const containers = [{ name: 'main', image: 'image:1' }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers, ...spec } };
}
