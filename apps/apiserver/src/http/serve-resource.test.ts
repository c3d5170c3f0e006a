import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestServer, type TestServer } from '../fixtures/test-server.ts';

const NOT_FOUND = { reason: 'NotFound', message: 'the server could not find the requested resource' };
const ROLES = '/apis/rbac.authorization.k8s.io/v1/namespaces/team';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/team/leases';
const EVERYTHING = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
const CHANGES = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'update', 'patch'] }];

let api: TestServer;

beforeAll(async () => {
  api = await startTestServer();
  for (const name of ['team', 'other']) await api.call('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
  await grant('owner', EVERYTHING);
  await grant('changer', CHANGES);
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

describe('who may do everything in one namespace', () => {
  it.each([
    ['GET', '/api/v1/namespaces/team/namespaces/other'],
    ['PUT', '/api/v1/namespaces/team/namespaces/other'],
    ['PATCH', '/api/v1/namespaces/team/namespaces/other'],
    ['DELETE', '/api/v1/namespaces/team/namespaces/other'],
    ['GET', '/api/v1/namespaces/team/namespaces/other/status'],
    ['PATCH', '/api/v1/namespaces/team/namespaces/other/status'],
    ['PUT', '/api/v1/namespaces/team/namespaces/other/finalize'],
    ['GET', '/api/v1/namespaces/team/namespaces'],
    ['POST', '/api/v1/namespaces/team/namespaces'],
    ['DELETE', '/api/v1/namespaces/team/namespaces'],
    ['GET', '/api/v1/watch/namespaces/team/namespaces/other'],
    ['GET', '/api/v1/namespaces/team/nodes'],
    ['POST', '/api/v1/namespaces/team/nodes'],
    ['GET', '/apis/rbac.authorization.k8s.io/v1/namespaces/team/clusterroles/cluster-admin'],
    ['POST', '/apis/authorization.k8s.io/v1/namespaces/team/subjectaccessreviews'],
  ])('gets nothing outside of it by %s %s', async (method, path) => {
    const answer = await api.call(method, path, { headers: as('owner'), body: { metadata: { name: 'other' } } });

    expect(answer).toMatchObject({ code: 404, object: NOT_FOUND });
  });

  it('reads that namespace itself', async () => {
    const answer = await api.call('GET', '/api/v1/namespaces/team', { headers: as('owner') });

    expect(answer).toMatchObject({ code: 200, object: { metadata: { name: 'team' } } });
  });
});

describe('a path', () => {
  it.each([
    ['GET', '/api/v1/configmaps/x'],
    ['GET', '/api/v1/watch/configmaps/x'],
    ['GET', '/api/v1/namespaces/team/status/more'],
    ['GET', '/api/v1/namespaces/team/pods/x/status/more'],
    ['GET', '/api/v1/namespaces/team/pods/x/log/more'],
    ['POST', '/api/v1/namespaces/team/pods/x/eviction/more'],
    ['GET', '/api/v1/namespaces/team/pods//log?fieldSelector=metadata.name%3Dx'],
    ['GET', '/api/v1/watch/namespaces/team/pods/x/status'],
  ])('that means nothing is not found: %s %s', async (method, path) => {
    expect(await api.call(method, path)).toMatchObject({ code: 404, object: NOT_FOUND });
  });

  it.each(['/api/v1/namespaces/team/pods/x/exec/more', '/api/v9/namespaces/team/pods/x/exec', '/api/v1/pods/x/exec'])(
    'that means nothing is not found when it asks for another protocol: %s',
    async (path) => {
      const headers = { connection: 'Upgrade', upgrade: 'websocket' };

      expect(await api.call('GET', path, { headers })).toMatchObject({ code: 404, object: NOT_FOUND });
    },
  );

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('of all namespaces at once does not take %s', async (method) => {
    const headers = { 'content-type': 'application/json' };
    await api.call('POST', '/api/v1/namespaces/team/configmaps', { body: { metadata: { name: 'kept' } }, headers });

    const answer = await api.call(method, '/api/v1/configmaps');

    expect(answer).toMatchObject({ code: 405, object: { reason: 'MethodNotAllowed' } });
    expect(await api.call('GET', '/api/v1/namespaces/team/configmaps/kept')).toMatchObject({ code: 200 });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('of a watch does not take %s', async (method) => {
    const answer = await api.call(method, '/api/v1/watch/namespaces/team/configmaps');

    expect(answer).toMatchObject({ code: 405, object: { reason: 'MethodNotAllowed' } });
  });

  it.each(['metadata.name%3Dy', 'metadata.name!%3Dx', 'metadata.namespace%3Dteam'])(
    'of a watch of one object shows no other by fieldSelector=%s',
    async (selector) => {
      const path = `/api/v1/watch/namespaces/team/configmaps/x?timeoutSeconds=1&fieldSelector=${selector}`;

      expect(await api.call('GET', path)).toMatchObject({
        code: 400,
        object: { message: "fieldSelector metadata.name doesn't match requested name" },
      });
    },
  );
});

describe('who may change and not create', () => {
  const apply = { 'content-type': 'application/apply-patch+yaml' };
  const message =
    'leases.coordination.k8s.io "new" is forbidden: User "changer" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "team"';

  it.each([
    ['PUT', `${LEASES}/new`, {}],
    ['PUT', `${LEASES}/new?dryRun=All`, {}],
    ['PATCH', `${LEASES}/new?fieldManager=test`, apply],
  ])('does not create by %s %s', async (method, path, type) => {
    const answer = await api.call(method, path, { headers: { ...type, ...as('changer') }, body: lease('new') });

    expect(answer).toMatchObject({ code: 403, object: { reason: 'Forbidden', message } });
    expect(await api.call('GET', `${LEASES}/new`)).toMatchObject({ code: 404 });
  });

  it.each([
    ['PUT', `${LEASES}/by-put`, {}, 'by-put'],
    ['PATCH', `${LEASES}/by-apply?fieldManager=test`, apply, 'by-apply'],
  ])('changes by %s what others create by it', async (method, path, type, name) => {
    const created = await api.call(method, path, { headers: { ...type, ...as('owner') }, body: lease(name) });
    const metadata = { name, resourceVersion: resourceVersionOf(created.object) };
    const body = { ...lease(name), metadata };

    const changed = await api.call(method, path, { headers: { ...type, ...as('changer') }, body });

    expect([created.code, changed.code]).toEqual([201, 200]);
  });
});

async function grant(name: string, rules: JsonValue): Promise<void> {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }];
  await api.call('POST', `${ROLES}/roles`, { body: { metadata: { name }, rules } });
  await api.call('POST', `${ROLES}/rolebindings`, { body: { metadata: { name }, roleRef, subjects } });
}

function as(user: string): Record<string, string> {
  return { 'impersonate-user': user };
}

function lease(name: string): JsonObject {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name } };
}

function resourceVersionOf({ metadata }: JsonObject): JsonValue {
  return isJsonObject(metadata) ? (metadata['resourceVersion'] ?? null) : null;
}
