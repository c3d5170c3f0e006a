import { isJsonObject, type JsonObject } from '@smalt/json';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { startTestServer, type TestServer } from '../fixtures/test-server.ts';
import { MAX_BODY_DEPTH } from './max-body-depth.ts';

const BOXES = '/apis/limits.example.dev/v1/boxes';
const APPLY = `?fieldManager=test&force=true`;

describe('a body', () => {
  let bed: TestServer;

  beforeAll(async () => {
    bed = await startTestServer();
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await bed.call('POST', path, { body: boxDefinition() });
    await vi.waitFor(async () => {
      const { code } = await bed.call('GET', BOXES);
      if (code !== 200) throw new Error(`boxes are not served yet: ${code}`);
    });
  });

  afterAll(() => bed[Symbol.asyncDispose]());

  it.each([
    { what: 'maps', nest: nestMaps },
    { what: 'lists', nest: nestLists },
    { what: 'maps with an integer that needs care', nest: (depth: number) => nestMaps(depth, '9007199254740993') },
  ])('of $what nested as deep as is allowed goes through every verb', async ({ nest }) => {
    const deep = box(nest(MAX_BODY_DEPTH - 1));
    const merge = { 'content-type': 'application/merge-patch+json' };
    const json = { 'content-type': 'application/json-patch+json' };
    const apply = { 'content-type': 'application/apply-patch+yaml' };

    const created = await bed.call('POST', BOXES, { body: deep });
    const answers = [
      created,
      await bed.call('GET', `${BOXES}/a`),
      await bed.call('PUT', `${BOXES}/a`, { body: box(nest(MAX_BODY_DEPTH - 2), versionOf(created.object)) }),
      await bed.call('PATCH', `${BOXES}/a`, { body: `{"other":${nest(MAX_BODY_DEPTH - 1)}}`, headers: merge }),
      await bed.call('PATCH', `${BOXES}/a`, { body: jsonPatch(nest(MAX_BODY_DEPTH - 2)), headers: json }),
      await bed.call('PATCH', `${BOXES}/a${APPLY}`, { body: deep, headers: apply }),
      await bed.call('PATCH', `${BOXES}/a${APPLY}`, { body: `# as YAML\n${deep}`, headers: apply }),
      await bed.call('GET', BOXES),
      await bed.call('DELETE', `${BOXES}/a`),
    ];

    expect(answers.map(({ code }) => code)).toEqual([201, 200, 200, 200, 200, 200, 200, 200, 200]);
  });

  it.each([
    { type: 'application/json', method: 'POST', path: BOXES },
    { type: 'application/yaml', method: 'POST', path: BOXES },
    { type: 'application/merge-patch+json', method: 'PATCH', path: `${BOXES}/a` },
    { type: 'application/json-patch+json', method: 'PATCH', path: `${BOXES}/a` },
    { type: 'application/apply-patch+yaml', method: 'PATCH', path: `${BOXES}/a${APPLY}` },
  ])('that is nested deeper is refused as $type', async ({ type, method, path }) => {
    const body = box(nestLists(200_000));

    const answer = await bed.call(method, path, { body, headers: { 'content-type': type } });

    expect(answer.object).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(answer.text).toContain('exceeded max depth of 500');
  });

  it('that is larger than what is stored gets the answer of etcd', async () => {
    const body = box(JSON.stringify('x'.repeat(1_600_000)));

    const answer = await bed.call('POST', BOXES, { body });

    expect(answer.object).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'etcdserver: request is too large',
      code: 500,
    });
    expect((await bed.call('GET', `${BOXES}/a`)).code).toBe(404);
  });
});

function box(data: string, resourceVersion = ''): string {
  const metadata = JSON.stringify({ name: 'a', ...(resourceVersion === '' ? {} : { resourceVersion }) });
  return `{"apiVersion":"limits.example.dev/v1","kind":"Box","metadata":${metadata},"data": ${data}}`;
}

function versionOf(object: JsonObject): string {
  const metadata = object['metadata'];
  const version = isJsonObject(metadata) ? metadata['resourceVersion'] : undefined;
  return typeof version === 'string' ? version : '';
}

function jsonPatch(value: string): string {
  return `[{"op":"add","path":"/third","value":${value}}]`;
}

function nestMaps(depth: number, inner = '1'): string {
  return `${'{"a": '.repeat(depth)}${inner}${'}'.repeat(depth)}`;
}

function nestLists(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`;
}

function boxDefinition(): JsonObject {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.limits.example.dev' },
    spec: {
      group: 'limits.example.dev',
      scope: 'Cluster',
      names: { plural: 'boxes', singular: 'box', kind: 'Box', listKind: 'BoxList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}
