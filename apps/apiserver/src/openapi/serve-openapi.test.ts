import { gunzipSync } from 'node:zlib';

import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { machineDefinition } from '../fixtures/machine-definition.ts';
import { startTestServer, type TestServer } from '../fixtures/test-server.ts';

let api: TestServer;

beforeAll(async () => {
  api = await startTestServer();
  await api.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: machineDefinition() });
  while (!('apis/bench.example.dev/v1' in (await index())));
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

describe('/openapi/v3', () => {
  it('leads to every document with a link that changes when the document does', async () => {
    const url = urlOf((await index())['apis/apps/v1']);

    expect(url).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
    expect((await api.call('GET', url)).headers).toMatchObject({
      'cache-control': 'public, immutable',
      etag: expect.any(String),
    });
  });

  it('leads an old link to the new one', async () => {
    const url = urlOf((await index())['apis/apps/v1']);

    const answer = await api.call('GET', '/openapi/v3/apis/apps/v1?hash=OLD');

    expect(answer).toMatchObject({ code: 301, headers: { location: url } });
  });

  it('says that nothing has changed', async () => {
    const first = await api.call('GET', '/openapi/v3/api/v1');

    const second = await api.call('GET', '/openapi/v3/api/v1', {
      headers: { 'if-none-match': first.headers.etag ?? '' },
    });

    expect(second).toMatchObject({ code: 304, text: '' });
  });

  it('describes a custom kind and what can be done with it', async () => {
    const { object } = await api.call('GET', '/openapi/v3/apis/bench.example.dev/v1');

    expect(object).toMatchObject({
      openapi: '3.0.0',
      components: {
        schemas: {
          'dev.example.bench.v1.Machine': {
            properties: { spec: { properties: { cpus: { type: 'integer', maximum: 512 } } } },
            'x-kubernetes-group-version-kind': [{ group: 'bench.example.dev', kind: 'Machine', version: 'v1' }],
          },
          'dev.example.bench.v1.MachineList': { required: ['items'] },
          'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': { type: 'object' },
        },
      },
    });
    const patch = operation(object, '/apis/bench.example.dev/v1/namespaces/{namespace}/machines/{name}', 'patch');
    expect(patch).toMatchObject({
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': { group: 'bench.example.dev', version: 'v1', kind: 'Machine' },
      parameters: expect.arrayContaining([
        expect.objectContaining({ name: 'fieldValidation', in: 'query' }),
        expect.objectContaining({ name: 'dryRun', in: 'query' }),
      ]),
    });
  });

  it.each(['api/v1', 'apis/apps/v1', 'apis/rbac.authorization.k8s.io/v1', 'apis/bench.example.dev/v1'])(
    'refers only to what the document of %s holds',
    async (path) => {
      const { object, text } = await api.call('GET', `/openapi/v3/${path}`);
      const links = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] ?? '');
      const components = object['components'];
      const schemas = isJsonObject(components) ? components['schemas'] : {};

      expect(links.length).toBeGreaterThan(0);
      expect(Object.keys(isJsonObject(schemas) ? schemas : {})).toEqual(expect.arrayContaining([...new Set(links)]));
    },
  );
});

describe('/openapi/v2', () => {
  it('describes everything in one document', async () => {
    const { object } = await api.call('GET', '/openapi/v2');

    expect(object).toMatchObject({
      swagger: '2.0',
      definitions: {
        'dev.example.bench.v1.Machine': { properties: { spec: { type: 'object' } } },
        'io.k8s.api.core.v1.Pod': { properties: { spec: { $ref: '#/definitions/io.k8s.api.core.v1.PodSpec' } } },
      },
    });
  });

  it('has a packed protobuf form of it', async () => {
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

    const answer = await api.call('GET', '/openapi/v2', { headers: { accept, 'accept-encoding': 'gzip' } });

    expect(answer.headers).toMatchObject({
      'content-type': 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
      'content-encoding': 'gzip',
    });
    expect(gunzipSync(answer.body).subarray(0, 5).toString('hex')).toBe('0a03322e30');
  });
});

async function index(): Promise<JsonObject> {
  const { paths } = (await api.call('GET', '/openapi/v3')).object;
  return isJsonObject(paths) ? paths : {};
}

function urlOf(entry: JsonValue | undefined): string {
  return isJsonObject(entry) && typeof entry['serverRelativeURL'] === 'string' ? entry['serverRelativeURL'] : '';
}

function operation(document: JsonObject, path: string, method: string): JsonValue | undefined {
  const paths = document['paths'];
  const item = isJsonObject(paths) ? paths[path] : undefined;
  return isJsonObject(item) ? item[method] : undefined;
}
