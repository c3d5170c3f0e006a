import type { JsonObject } from '@smalt/json';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { startTestServer, type TestServer } from '../fixtures/test-server.ts';
import { objectAt } from '../identity/object-fields.ts';
import { metadataText } from '../registry/object-metadata.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const MERGE = { 'content-type': 'application/merge-patch+json' };
let api: TestServer;
let plural: string;
let count = 0;

beforeAll(async () => {
  api = await startTestServer();
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

beforeEach(() => {
  count += 1;
  plural = `things${count}`;
});

it('keeps an object without the fields that the stored version lacks', async () => {
  await define({ stored: 'v2' });

  const tried = await api.call('POST', `${things('v1')}?dryRun=All`, { body: thing('v1', { old: 'o', both: 'b' }) });
  const made = await api.call('POST', things('v1'), { body: thing('v1', { old: 'o', both: 'b' }) });

  expect([tried.code, made.code]).toEqual([201, 201]);
  expect([spec(tried.object), spec(made.object)]).toEqual([
    { both: 'b', size: 1 },
    { both: 'b', size: 1 },
  ]);
  expect(await specIn('v1')).toEqual({ both: 'b', size: 1 });
});

it('shows the defaults of the version that an object is kept in, and no fields that the asked version lacks', async () => {
  await define({ stored: 'v2' });

  await api.call('POST', things('v1'), { body: thing('v1', { both: 'b' }) });

  expect(await specIn('v2')).toEqual({ both: 'b', size: 1, color: 'green' });
  expect(await specIn('v1')).toEqual({ both: 'b', size: 1 });
});

it('shows the same in lists and to watchers', async () => {
  await define({ stored: 'v2' });
  await api.call('POST', things('v2'), { body: thing('v2', { new: 'n' }) });

  const list = await api.call('GET', things('v1'));
  const watched = await api.call('GET', `${things('v1')}?watch=true&timeoutSeconds=1`);

  expect(list.object).toMatchObject({ items: [{ apiVersion: 'many.example.dev/v1', spec: { size: 2 } }] });
  expect(watched.text).toContain('"apiVersion":"many.example.dev/v1"');
  expect(`${list.text}${watched.text}`).not.toMatch(/"new":|"color":|"filled":/);
});

it('brings an object into the stored version with the next write, also one that changes nothing, and once', async () => {
  await define({ stored: 'v1', isPlain: true });
  await api.call('POST', things('v1'), { body: thing('v1', { old: 'o', both: 'b' }) });
  await define({ stored: 'v2', isPlain: true });
  const before = await api.call('GET', `${things('v1')}/a`);

  const touched = await api.call('PATCH', `${things('v1')}/a`, { body: {}, headers: MERGE });
  const again = await api.call('PATCH', `${things('v1')}/a`, { body: {}, headers: MERGE });

  expect([before, touched].map(({ object }) => spec(object))).toEqual([{ old: 'o', both: 'b' }, { both: 'b' }]);
  expect(version(touched.object)).not.toBe(version(before.object));
  expect(version(again.object)).toBe(version(touched.object));
});

it('writes what a schema has come to fill in with a write that changes nothing, and once', async () => {
  await define({ stored: 'v2', only: true });
  await api.call('POST', things('v2'), { body: thing('v2', {}) });
  await define({ stored: 'v2', only: true, color: 'blue', shape: 'round' });
  const before = await api.call('GET', `${things('v2')}/a`);

  const touched = await api.call('PATCH', `${things('v2')}/a`, { body: {}, headers: MERGE });
  const again = await api.call('PATCH', `${things('v2')}/a`, { body: {}, headers: MERGE });

  expect([before, touched].map(({ object }) => spec(object))).toEqual([
    { size: 2, color: 'green', shape: 'round' },
    { size: 2, color: 'green', shape: 'round' },
  ]);
  expect(version(touched.object)).not.toBe(version(before.object));
  expect(version(again.object)).toBe(version(touched.object));
});

it('reads an object of a version that is no longer served by the schema of that version', async () => {
  await define({ stored: 'v1' });
  await api.call('POST', things('v1'), { body: thing('v1', { old: 'o', both: 'b' }) });
  await define({ stored: 'v2', isOldServed: false });

  expect((await api.call('GET', `${things('v1')}/a`)).code).toBe(404);
  expect(await specIn('v2')).toEqual({ both: 'b', size: 1 });
});

it('keeps all fields of an object when the server itself writes to it', async () => {
  await define({ stored: 'v1' });
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: plural } };
  const { object: owner } = await api.call('POST', '/api/v1/namespaces/default/configmaps', { body });
  const uid = metadataText(owner, 'uid');
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: plural, uid }];
  const { metadata, ...rest } = thing('v1', { old: 'o' });
  await api.call('POST', things('v1'), { body: { ...rest, metadata: { ...Object(metadata), ownerReferences } } });

  await api.call('DELETE', `/api/v1/namespaces/default/configmaps/${plural}?propagationPolicy=Orphan`);

  await expect.poll(ownersOf, { timeout: 10_000 }).toBeUndefined();
  expect(await specIn('v1')).toEqual({ old: 'o', size: 1, filled: 'in v1' });
});

interface Declared {
  readonly stored: 'v1' | 'v2';
  readonly isOldServed?: boolean;
  /** Whether nothing is filled in. */
  readonly isPlain?: boolean;
  /** Whether there is but the newer version. */
  readonly only?: boolean;
  readonly color?: string;
  readonly shape?: string;
}

/** Declares a kind with two versions, which have some fields and defaults each for itself; or changes it. */
async function define({ stored, isOldServed = true, only = false, ...fields }: Declared): Promise<void> {
  const [v1, v2] = declaredFields(fields);
  const versions = [
    ...(only ? [] : [{ ...declared('v1', v1), served: isOldServed, storage: stored === 'v1' }]),
    { ...declared('v2', v2), served: true, storage: stored === 'v2' },
  ];
  const names = { plural, kind: `Thing${count}` };
  const name = `${plural}.many.example.dev`;
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: { group: 'many.example.dev', scope: 'Namespaced', names, versions },
  };
  const created = await api.call('POST', DEFINITIONS, { body });
  if (created.code === 201) return;
  const changed = await api.call('PATCH', `${DEFINITIONS}/${name}`, { body: { spec: { versions } }, headers: MERGE });
  expect(changed.code).toBe(200);
}

type Fields = Pick<Declared, 'isPlain' | 'color' | 'shape'>;

function declaredFields({ isPlain = false, color = 'green', shape }: Fields): readonly [JsonObject, JsonObject] {
  if (isPlain) return [{ old: text() }, { new: text() }];
  const size = { type: 'integer' };
  const v1 = { old: text(), size: { ...size, default: 1 }, filled: text('in v1') };
  const v2 = { new: text(), size: { ...size, default: 2 }, color: text(color) };
  return [v1, shape === undefined ? v2 : { ...v2, shape: text(shape) }];
}

function declared(name: string, properties: JsonObject): JsonObject {
  const fields = { type: 'object', properties: { both: text(), ...properties } };
  return { name, schema: { openAPIV3Schema: { type: 'object', properties: { spec: fields } } } };
}

function text(value?: string): JsonObject {
  return { type: 'string', ...(value === undefined ? {} : { default: value }) };
}

function things(name: string): string {
  return `/apis/many.example.dev/${name}/namespaces/default/${plural}`;
}

function thing(name: string, fields: JsonObject): JsonObject {
  return {
    apiVersion: `many.example.dev/${name}`,
    kind: `Thing${count}`,
    metadata: { name: 'a' },
    spec: fields,
  };
}

async function specIn(name: string): Promise<JsonObject> {
  return spec((await api.call('GET', `${things(name)}/a`)).object);
}

async function ownersOf(): Promise<unknown> {
  return objectAt((await api.call('GET', `${things('v2')}/a`)).object, 'metadata')['ownerReferences'];
}

function spec(object: JsonObject): JsonObject {
  return objectAt(object, 'spec');
}

function version(object: JsonObject): string {
  return metadataText(object, 'resourceVersion');
}
