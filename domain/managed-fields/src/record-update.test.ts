import type { JsonObject, JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';
import { describe, expect, it } from 'vitest';

import type { Endpoint } from './endpoint.ts';
import { managerOf } from './manager-of.ts';
import { managedFieldsOf } from './object-metadata.ts';
import { recordUpdate } from './record-update.ts';
import { fromScaleManagedFields, toScaleManagedFields } from './scale-managed-fields.ts';
import { validateManagedFields } from './validate-managed-fields.ts';

describe('recordUpdate', () => {
  it('gives a new custom object to its creator, its containers included', () => {
    const object = create({ replicas: 1, labels: { a: 'x' } });

    expect(managedFieldsOf(object)).toEqual([
      entry('creator', 0, { 'f:spec': { '.': {}, 'f:labels': { '.': {}, 'f:a': {} }, 'f:replicas': {} } }),
    ]);
  });

  it('counts the structs of a built-in kind as there before', () => {
    const endpoint: Endpoint = { ...MAIN, isBuiltIn: true };

    const object = recordUpdate(endpoint, {
      live: undefined,
      updated: anObject(BUILT_IN_SPEC),
      manager: 'creator',
      now: at(0),
    });

    expect(managedFieldsOf(object)).toEqual([
      entry('creator', 0, {
        'f:spec': {
          'f:labels': { '.': {}, 'f:a': {} },
          'f:template': { 'f:image': {} },
          'f:volumes': { 'k:{"name":"v"}': { '.': {}, 'f:name': {} } },
        },
      }),
    ]);
  });

  it('moves what changes to who changes it, and drops who has nothing left', () => {
    const live = create({ replicas: 1, paused: true });

    const second = update(live, { replicas: 2, paused: true }, 'second', 1);
    const third = update(second, { replicas: 3, paused: true }, 'third', 2);

    expect(managedFieldsOf(second)).toEqual([
      entry('creator', 0, { 'f:spec': { '.': {}, 'f:paused': {} } }),
      entry('second', 1, { 'f:spec': { 'f:replicas': {} } }),
    ]);
    expect(managedFieldsOf(third)).toEqual([
      entry('creator', 0, { 'f:spec': { '.': {}, 'f:paused': {} } }),
      entry('third', 2, { 'f:spec': { 'f:replicas': {} } }),
    ]);
  });

  it('takes removed fields from all', () => {
    const live = create({ replicas: 1, paused: true });

    expect(managedFieldsOf(update(live, { replicas: 1 }, 'second', 1))).toEqual([
      entry('creator', 0, { 'f:spec': { '.': {}, 'f:replicas': {} } }),
    ]);
  });

  it('keeps times and entries when nothing changes, whether or not the writer sends the managed fields', () => {
    const live = create({ replicas: 1 });

    expect(update(live, { replicas: 1 }, 'second', 1)).toEqual(live);
    expect(recordUpdate(MAIN, { live, updated: structuredClone(live), manager: 'second', now: at(1) })).toEqual(live);
  });

  it('calls a writer without a name unknown', () => {
    const object = recordUpdate(MAIN, { live: undefined, updated: anObject({ replicas: 1 }), manager: '', now: at(0) });

    expect(managedFieldsOf(object)).toMatchObject([{ manager: 'unknown' }]);
  });

  it('starts from managed fields that the writer sends, made canonical', () => {
    const live = create({ replicas: 1, paused: true });
    const sent = [entry('mine', 0, { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } })];

    const object = recordUpdate(MAIN, { live, updated: withEntries(live, sent), manager: 'x', now: at(1) });

    expect(JSON.stringify(managedFieldsOf(object))).toBe(
      JSON.stringify([entry('mine', 0, { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } })]),
    );
  });

  it.each([
    { sent: [{ manager: 'x' }] },
    { sent: [{ ...entry('x', 0, {}), operation: 'Invent' }] },
    { sent: [{ ...entry('x', 0, {}), apiVersion: '' }] },
    { sent: [{ ...entry('x', 0, {}), fieldsType: 'FieldsV2' }] },
    { sent: [entry('x', 0, { nonsense: {} })] },
    { sent: null },
    { sent: 'x' },
  ])('stays with the live ones when the writer sends $sent', ({ sent }) => {
    const live = create({ replicas: 1 });

    expect(
      recordUpdate(MAIN, { live, updated: withEntries(live, sent as JsonValue), manager: 'x', now: at(1) }),
    ).toEqual(live);
  });

  it.each([{ sent: [] }, { sent: [{}] }])('clears them for $sent, and then tracks no more', ({ sent }) => {
    const live = create({ replicas: 1 });

    const cleared = recordUpdate(MAIN, { live, updated: withEntries(live, sent), manager: 'x', now: at(1) });

    expect(managedFieldsOf(cleared)).toBeUndefined();
    expect(managedFieldsOf(update(cleared, { replicas: 2 }, 'x', 2))).toBeUndefined();
  });

  it('does not let a subresource set managed fields', () => {
    const live = create({ replicas: 1 });

    const object = recordUpdate(STATUS, { live, updated: withEntries(live, []), manager: 'x', now: at(1) });

    expect(object).toEqual(live);
  });

  it('tracks writes to status apart from those to the rest', () => {
    const live = create({ replicas: 1 });
    const written = { ...live, spec: { replicas: 9 }, status: { phase: 'Up' } };

    const throughStatus = recordUpdate(STATUS, { live, updated: written, manager: 'creator', now: at(1) });
    const throughMain = recordUpdate(MAIN, {
      live,
      updated: { ...live, status: { phase: 'Up' } },
      manager: 'creator',
      now: at(1),
    });

    expect(managedFieldsOf(throughStatus)).toEqual([
      ...(managedFieldsOf(live) as readonly JsonObject[]),
      { ...entry('creator', 1, { 'f:status': { '.': {}, 'f:phase': {} } }), subresource: 'status' },
    ]);
    expect(managedFieldsOf(throughMain)).toEqual(managedFieldsOf(live));
  });

  it('keeps ten updaters and makes one of the oldest beyond that', () => {
    let object = create({ labels: {} });
    for (let number = 1; number <= 12; number++) {
      object = update(
        object,
        { labels: Object.fromEntries(letters(number).map((name) => [name, 'x'])) },
        `m${number}`,
        number,
      );
    }

    const entries = managedFieldsOf(object) as readonly JsonObject[];

    expect(entries.map(({ manager }) => manager)).toEqual([
      'ancient-changes',
      ...Array.from({ length: 9 }, (_, index) => `m${index + 4}`),
    ]);
    expect(entries[0]).toEqual(
      entry('ancient-changes', 3, { 'f:spec': { '.': {}, 'f:labels': { '.': {}, 'f:a': {}, 'f:b': {}, 'f:c': {} } } }),
    );
  });

  it('lists duplicates as one', () => {
    const object = create({
      disks: [
        { name: 'a', size: '1' },
        { name: 'a', size: '2' },
      ],
    });

    expect(managedFieldsOf(object)).toEqual([
      entry('creator', 0, { 'f:spec': { '.': {}, 'f:disks': { '.': {}, 'k:{"name":"a"}': {} } } }),
    ]);
  });

  it('drops managed fields of an object that does not fit its schema', () => {
    const live = create({ replicas: 1 });

    expect(managedFieldsOf(update(live, { disks: [{ size: 'no name' }] }, 'x', 1))).toBeUndefined();
  });

  it('changes neither object', () => {
    const live = create({ replicas: 1, labels: { a: 'x' } });
    const updated = { ...live, spec: { replicas: 2, labels: { b: 'y' } } };
    const text = JSON.stringify([live, updated]);

    recordUpdate(MAIN, { live, updated, manager: 'x', now: at(1) });

    expect(JSON.stringify([live, updated])).toBe(text);
  });
});

describe('managerOf', () => {
  it.each([
    { fieldManager: 'mine', userAgent: 'kubectl/v1', manager: 'mine' },
    { fieldManager: '', userAgent: 'kubectl/v1.36 (linux/amd64)', manager: 'kubectl' },
    { fieldManager: undefined, userAgent: 'a\u0007b\u00a0c d', manager: 'abc d' },
    { fieldManager: undefined, userAgent: 'ü'.repeat(100), manager: 'ü'.repeat(64) },
    { fieldManager: undefined, userAgent: undefined, manager: '' },
  ])('is $manager for $fieldManager and $userAgent', ({ fieldManager, userAgent, manager }) => {
    expect(managerOf(fieldManager, userAgent)).toBe(manager);
  });
});

describe('validateManagedFields', () => {
  it.each([
    { entries: [{}], wrong: 'operation must be `Apply` or `Update`' },
    { entries: [{ operation: 'Update' }], wrong: 'apiVersion must not be empty' },
    { entries: [{ operation: 'Update', apiVersion: 'v1' }], wrong: 'missing fieldsType in managed fields entry 0' },
    {
      entries: [{ operation: 'Update', apiVersion: 'v1', fieldsType: 'X' }],
      wrong: 'invalid fieldsType "X" in managed fields entry 0',
    },
    { entries: [entry('a', 0, {})], wrong: undefined },
    { entries: [1], wrong: 'metadata.managedFields[0] must be an object' },
  ])('finds "$wrong"', ({ entries, wrong }) => {
    expect(validateManagedFields({ metadata: { managedFields: entries } })).toBe(wrong);
  });
});

describe('managed fields of Scale', () => {
  const paths = { 'g/v1': ['spec', 'replicas'] };

  it('are those of the owners of the replicas', () => {
    const live = managedFieldsOf(update(create({ paused: true }), { paused: true, replicas: 1 }, 'scaler', 1));

    expect(toScaleManagedFields(live, paths)).toEqual([
      { ...entry('scaler', 1, { 'f:spec': { 'f:replicas': {} } }), apiVersion: 'autoscaling/v1' },
    ]);
    expect(toScaleManagedFields(managedFieldsOf(create({ paused: true })), paths)).toBeUndefined();
  });

  it('come back as those of the object, without a time as Kubernetes has it', () => {
    const live = managedFieldsOf(create({ paused: true, replicas: 1 }));
    const scale = {
      schema: SCALE,
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      subresource: 'scale',
      isBuiltIn: true,
      resetFields: [],
    };
    const before = scaleOf(1, toScaleManagedFields(live, paths));

    const after = recordUpdate(scale, { live: before, updated: scaleOf(5, undefined), manager: 'kubectl', now: at(1) });
    const entries = fromScaleManagedFields({
      entries: live,
      scaleEntries: managedFieldsOf(after),
      apiVersion: 'g/v1',
      paths,
    });

    const { time: _time, ...scaled } = entry('kubectl', 1, { 'f:spec': { 'f:replicas': {} } });
    expect(entries).toEqual([
      { ...scaled, subresource: 'scale' },
      entry('creator', 0, { 'f:spec': { '.': {}, 'f:paused': {} } }),
    ]);
  });
});

const TEXT: Schema = { type: 'string' };
const NAMED: Schema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: { type: 'object', properties: { name: TEXT, size: TEXT } },
};
const SCHEMA: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['volumes'],
      properties: {
        replicas: { type: 'integer' },
        paused: { type: 'boolean' },
        labels: { type: 'object', additionalProperties: TEXT },
        disks: NAMED,
        volumes: NAMED,
        template: { type: 'object', default: {}, properties: { image: TEXT } },
      },
    },
    status: { type: 'object', properties: { phase: TEXT } },
  },
};
const SCALE: Schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { replicas: { type: 'integer' } } } },
};
const BUILT_IN_SPEC = { template: { image: 'x' }, labels: { a: 'x' }, volumes: [{ name: 'v' }] };
const MAIN: Endpoint = {
  schema: SCHEMA,
  apiVersion: 'g/v1',
  kind: 'K',
  subresource: '',
  isBuiltIn: false,
  resetFields: [['status']],
};
const STATUS: Endpoint = { ...MAIN, subresource: 'status', resetFields: [['metadata'], ['spec']] };

function at(hour: number): Date {
  return new Date(Date.UTC(2026, 0, 1, hour));
}

function anObject(spec: JsonObject): JsonObject {
  return { apiVersion: 'g/v1', kind: 'K', metadata: { name: 'n', uid: 'u' }, spec };
}

function create(spec: JsonObject): JsonObject {
  return recordUpdate(MAIN, { live: undefined, updated: anObject(spec), manager: 'creator', now: at(0) });
}

function update(live: JsonObject, spec: JsonObject, manager: string, hour: number): JsonObject {
  return recordUpdate(MAIN, { live, updated: anObject(spec), manager, now: at(hour) });
}

function entry(manager: string, hour: number, fieldsV1: JsonObject): JsonObject {
  const time = `2026-01-01T${String(hour).padStart(2, '0')}:00:00Z`;
  return { manager, operation: 'Update', apiVersion: 'g/v1', time, fieldsType: 'FieldsV1', fieldsV1 };
}

function withEntries(object: JsonObject, managedFields: JsonValue): JsonObject {
  return { ...object, metadata: { name: 'n', uid: 'u', managedFields } };
}

function letters(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => String.fromCodePoint(97 + index));
}

function scaleOf(replicas: number, managedFields: JsonValue | undefined): JsonObject {
  const metadata = { name: 'n', uid: 'u', ...(managedFields !== undefined && { managedFields }) };
  return { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec: { replicas } };
}
