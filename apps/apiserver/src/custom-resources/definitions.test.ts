import type { JsonObject } from '@smalt/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openWorld } from '../controllers/fixtures/open-world.ts';
import { startTestServer, type TestServer } from '../fixtures/test-server.ts';
import { objectAt, objectsAt } from '../identity/object-fields.ts';
import { CustomResourceDefinitions } from './definitions.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
let api: TestServer;

beforeAll(async () => {
  api = await startTestServer();
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

it('serves a kind as soon as its definition was created', async () => {
  await create(definition('apples', 'Apple'));

  const answer = await api.call('POST', objectsPath('apples'), { body: instance('Apple', 'one') });

  expect(answer).toMatchObject({ code: 201, object: { spec: { size: 3 } } });
});

it('tells which names were accepted and that the kind is established', async () => {
  await create(definition('pears', 'Pear'));

  await expect
    .poll(() => conditionsOf('pears'), { timeout: 10_000 })
    .toEqual([
      ['NamesAccepted', 'True', 'NoConflicts', 'no conflicts found'],
      ['Established', 'True', 'InitialNamesAccepted', 'the initial names have been accepted'],
    ]);
  expect(await statusOf('pears')).toMatchObject({
    acceptedNames: { plural: 'pears', kind: 'Pear' },
    storedVersions: ['v1'],
  });
});

it('does not serve a kind whose name is taken, and serves it once the name is free', async () => {
  await create(definition('plums', 'Plum'));
  await create(definition('damsons', 'Plum'));
  await expect
    .poll(() => conditionsOf('damsons'), { timeout: 10_000 })
    .toEqual([
      ['NamesAccepted', 'False', 'ListKindConflict', '"PlumList" is already in use'],
      ['Established', 'False', 'NotAccepted', 'not all names are accepted'],
    ]);
  const before = await api.call('GET', objectsPath('damsons'));

  await api.call('DELETE', `${DEFINITIONS}/plums.fruit.example.dev`);

  expect(before.code).toBe(404);
  await expect.poll(async () => (await api.call('GET', objectsPath('damsons'))).code, { timeout: 10_000 }).toBe(200);
});

it('warns of a deprecated version and does not serve one that is switched off', async () => {
  const crd = definition('grapes', 'Grape');
  const versions = [...objectsAt(objectAt(crd, 'spec'), 'versions')];
  const [v1] = versions;
  const old = { ...v1, name: 'v1beta1', storage: false, deprecated: true };
  const off = { ...v1, name: 'v1alpha1', storage: false, served: false };
  await create({ ...crd, spec: { ...objectAt(crd, 'spec'), versions: [v1 ?? {}, old, off] } });

  const deprecated = await api.call('GET', objectsPath('grapes', 'v1beta1'));
  const unserved = await api.call('GET', objectsPath('grapes', 'v1alpha1'));

  expect(deprecated.headers['warning']).toBe(
    '299 - "fruit.example.dev/v1beta1 Grape is deprecated; use fruit.example.dev/v1 Grape"',
  );
  expect(unserved.code).toBe(404);
});

it('remembers every version in which objects were stored', async () => {
  const { object } = await create(definition('figs', 'Fig'));
  const spec = objectAt(object, 'spec');
  const [v1] = objectsAt(spec, 'versions');
  const versions = [
    { ...v1, storage: false },
    { ...v1, name: 'v2', storage: true },
  ];
  await expect.poll(async () => (await conditionsOf('figs')).length, { timeout: 10_000 }).toBe(2);
  const current = (await api.call('GET', `${DEFINITIONS}/figs.fruit.example.dev`)).object;

  const answer = await api.call('PUT', `${DEFINITIONS}/figs.fruit.example.dev`, {
    body: { ...current, spec: { ...objectAt(current, 'spec'), versions } },
  });

  expect(answer).toMatchObject({ code: 200, object: { status: { storedVersions: ['v1', 'v2'] } } });
});

it('shows new defaults of a changed schema on what was stored before', async () => {
  await create(definition('kiwis', 'Kiwi'));
  await api.call('POST', objectsPath('kiwis'), { body: instance('Kiwi', 'one') });
  const patch = [
    {
      op: 'add',
      path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/color',
      value: { type: 'string', default: 'green' },
    },
  ];

  const patched = await api.call('PATCH', `${DEFINITIONS}/kiwis.fruit.example.dev`, {
    body: JSON.stringify(patch),
    headers: { 'content-type': 'application/json-patch+json' },
  });

  expect(patched.code).toBe(200);
  expect((await api.call('GET', `${objectsPath('kiwis')}/one`)).object).toMatchObject({
    spec: { size: 3, color: 'green' },
  });
});

it('serves after a restart what was defined before', async () => {
  await using world = await openWorld();
  await world.create(definition('dates', 'Date'));

  await using definitions = await CustomResourceDefinitions.open(world.deps);

  expect(world.deps.catalog.find('fruit.example.dev', 'v1', 'dates')).toMatchObject({ kind: 'Date' });
  await definitions.idle();
  expect(world.failures).toEqual([]);
});

it('serves only the stored version of a kind that a webhook would have to convert', async () => {
  const crd = definition('nuts', 'Nut');
  const spec = objectAt(crd, 'spec');
  const [v1] = objectsAt(spec, 'versions');
  const webhook = { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://localhost/convert' } };
  const conversion = { strategy: 'Webhook', webhook };
  const versions = [v1 ?? {}, { ...v1, name: 'v2', storage: false }];
  const created = await create({ ...crd, spec: { ...spec, conversion, versions } });

  const codes = [
    (await api.call('GET', objectsPath('nuts'))).code,
    (await api.call('GET', objectsPath('nuts', 'v2'))).code,
  ];

  expect(codes).toEqual([200, 404]);
  expect(created.headers['warning']).toBe(
    String.raw`299 - "spec.conversion: conversion webhooks are not called, only the storage version \"v1\" is served"`,
  );
});

describe('deletion', () => {
  it('takes the objects along and waits for their finalizers', async () => {
    await create(definition('limes', 'Lime'));
    await api.call('POST', objectsPath('limes'), { body: instance('Lime', 'free') });
    await api.call('POST', objectsPath('limes'), { body: instance('Lime', 'held', ['example.dev/hold']) });

    const answer = await api.call('DELETE', `${DEFINITIONS}/limes.fruit.example.dev`);
    await expect
      .poll(async () => (await api.call('GET', `${objectsPath('limes')}/free`)).code, { timeout: 10_000 })
      .toBe(404);
    const late = await api.call('POST', objectsPath('limes'), { body: instance('Lime', 'late') });
    const waiting = await conditionsOf('limes');
    await api.call('PATCH', `${objectsPath('limes')}/held`, {
      body: { metadata: { finalizers: null } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });

    expect(answer).toMatchObject({
      code: 200,
      object: { metadata: { finalizers: ['customresourcecleanup.apiextensions.k8s.io'] } },
    });
    expect(late).toMatchObject({
      code: 403,
      object: {
        message:
          'limes.fruit.example.dev "late" is forbidden: create not allowed while custom resource definition is terminating',
      },
    });
    expect(waiting).toContainEqual([
      'Terminating',
      'True',
      'InstanceDeletionInProgress',
      'CustomResource deletion is in progress',
    ]);
    await expect
      .poll(async () => (await api.call('GET', `${DEFINITIONS}/limes.fruit.example.dev`)).code, { timeout: 10_000 })
      .toBe(404);
    expect((await api.call('GET', objectsPath('limes'))).code).toBe(404);
  });

  it('takes the objects along when no version of them is served', async () => {
    await create(definition('olives', 'Olive'));
    await api.call('POST', objectsPath('olives'), { body: instance('Olive', 'one') });
    const off = await api.call('PATCH', `${DEFINITIONS}/olives.fruit.example.dev`, {
      body: JSON.stringify([{ op: 'replace', path: '/spec/versions/0/served', value: false }]),
      headers: { 'content-type': 'application/json-patch+json' },
    });

    await remove('olives');
    await create(definition('olives', 'Olive'));

    expect(off.code).toBe(200);
    expect((await api.call('GET', objectsPath('olives'))).object['items']).toEqual([]);
  });

  it('takes the objects along of a kind whose status does not yet say that it is established', async () => {
    await using world = await openWorld();
    await world.create(definition('dates', 'Date'));
    {
      await using definitions = await CustomResourceDefinitions.open(world.deps);
      await definitions.idle();
      await world.create(instance('Date', 'one'));
    }
    const crd = (await world.get('CustomResourceDefinition', 'dates.fruit.example.dev')) ?? {};
    await world.update({ ...crd, status: {} }, 'status');
    await world.delete('CustomResourceDefinition', 'dates.fruit.example.dev');

    await using restarted = await CustomResourceDefinitions.open(world.deps);
    await expect
      .poll(async () => {
        await restarted.idle();
        return world.names('CustomResourceDefinition');
      })
      .toEqual([]);

    expect(world.deps.store.count('dates.fruit.example.dev')).toBe(0);
  });

  it('refuses an object whose definition went while the object was admitted', async () => {
    await create(definition('pomelos', 'Pomelo'));
    whileAdmitting('pomelos', () => remove('pomelos'));

    const late = await api.call('POST', objectsPath('pomelos'), { body: instance('Pomelo', 'late') });
    await create(definition('pomelos', 'Pomelo'));

    expect(late.code).toBe(404);
    expect((await api.call('GET', objectsPath('pomelos'))).object['items']).toEqual([]);
  });

  it('refuses an object whose definition began to go while the object was admitted', async () => {
    await create(definition('quinces', 'Quince'));
    await api.call('POST', objectsPath('quinces'), { body: instance('Quince', 'held', ['example.dev/hold']) });
    whileAdmitting('quinces', async () => {
      await api.call('DELETE', `${DEFINITIONS}/quinces.fruit.example.dev`);
    });

    const late = await api.call('POST', objectsPath('quinces'), { body: instance('Quince', 'late') });

    expect(late).toMatchObject({
      code: 403,
      object: {
        message:
          'quinces.fruit.example.dev "late" is forbidden: create not allowed while custom resource definition is terminating',
      },
    });
  });
});

function whileAdmitting(plural: string, act: () => Promise<void>): void {
  api.server.admission.add({
    validate: async ({ resource, name }) => {
      if (resource.plural === plural && name === 'late') await act();
    },
  });
}

async function remove(plural: string): Promise<void> {
  const path = `${DEFINITIONS}/${plural}.fruit.example.dev`;
  await api.call('DELETE', path);
  await expect.poll(async () => (await api.call('GET', path)).code, { timeout: 10_000 }).toBe(404);
}

function create(crd: JsonObject): ReturnType<TestServer['call']> {
  return api.call('POST', DEFINITIONS, { body: crd });
}

async function statusOf(plural: string): Promise<JsonObject> {
  return objectAt((await api.call('GET', `${DEFINITIONS}/${plural}.fruit.example.dev`)).object, 'status');
}

async function conditionsOf(plural: string): Promise<readonly unknown[]> {
  const conditions = objectsAt(await statusOf(plural), 'conditions');
  return conditions.map(({ type, status, reason, message }) => [type, status, reason, message]);
}

function objectsPath(plural: string, version = 'v1'): string {
  return `/apis/fruit.example.dev/${version}/namespaces/default/${plural}`;
}

function instance(kind: string, name: string, finalizers: readonly string[] = []): JsonObject {
  return { apiVersion: 'fruit.example.dev/v1', kind, metadata: { name, finalizers }, spec: {} };
}

function definition(plural: string, kind: string): JsonObject {
  const size = { type: 'integer', default: 3 };
  const spec = { type: 'object', properties: { size } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.fruit.example.dev` },
    spec: {
      group: 'fruit.example.dev',
      scope: 'Namespaced',
      names: { plural, kind, singular: plural.slice(0, -1) },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}
