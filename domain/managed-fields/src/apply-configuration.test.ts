import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';
import { describe, expect, it } from 'vitest';

import { applyConfiguration } from './apply-configuration.ts';
import type { Endpoint } from './endpoint.ts';
import { keepTimestamps } from './keep-timestamps.ts';
import { isApplyConflict, ManagedFieldsError } from './managed-fields-error.ts';
import { managedFieldsOf } from './object-metadata.ts';
import { recordUpdate } from './record-update.ts';

const FIRST = new Date('2026-01-01T10:00:00.900Z');
const LATER = new Date('2026-01-02T10:00:00Z');

describe('applyConfiguration', () => {
  it('creates an object that its applier owns, names and the like aside', () => {
    const object = apply(undefined, { replicas: 1, disks: [{ name: 'a', size: '1' }] }, 'one');

    expect(object).toEqual({
      apiVersion: 'g/v1',
      kind: 'K',
      metadata: {
        name: 'n',
        managedFields: [
          {
            manager: 'one',
            operation: 'Apply',
            apiVersion: 'g/v1',
            time: '2026-01-01T10:00:00Z',
            fieldsType: 'FieldsV1',
            fieldsV1: {
              'f:spec': {
                'f:disks': { 'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:size': {} } },
                'f:replicas': {},
              },
            },
          },
        ],
      },
      spec: { replicas: 1, disks: [{ name: 'a', size: '1' }] },
    });
  });

  it('removes what is no longer applied and nobody else owns', () => {
    const one = apply(undefined, { replicas: 1, labels: { a: '1', b: '2' }, disks: [disk('a'), disk('b')] }, 'one');
    const both = apply(one, { labels: { b: '2' }, disks: [disk('b')] }, 'two');

    const object = apply(both, { replicas: 1 }, 'one');

    expect(object['spec']).toEqual({ replicas: 1, labels: { b: '2' }, disks: [disk('b')] });
    expect(owners(object)).toEqual({
      one: ['.spec.replicas'],
      two: ['.spec.disks[name="b"]', '.spec.disks[name="b"].name', '.spec.labels.b'],
    });
  });

  it('refuses to change what an updater owns, and names all of it', () => {
    const live = create({ replicas: 1, paused: false });

    const one = failureOf(() => apply(live, { replicas: 2 }, 'one'));
    const two = failureOf(() => apply(live, { replicas: 2, paused: true }, 'one'));

    expect(isApplyConflict(one)).toBe(true);
    expect(one.message).toBe('Apply failed with 1 conflict: conflict with "kubectl-create" using g/v1: .spec.replicas');
    expect(one.conflicts).toEqual([
      { reason: 'FieldManagerConflict', message: 'conflict with "kubectl-create" using g/v1', field: '.spec.replicas' },
    ]);
    expect(two.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "kubectl-create" using g/v1:\n- .spec.paused\n- .spec.replicas',
    );
  });

  it('names appliers without a version, and several managers in their order', () => {
    const live = apply(apply(undefined, { replicas: 1 }, 'b'), { paused: true, disks: [disk('a', '1')] }, 'a');

    const error = failureOf(() => apply(live, { replicas: 2, paused: false, disks: [disk('a', '2')] }, 'c'));

    expect(error.message).toBe(
      'Apply failed with 3 conflicts: conflicts with "a":\n- .spec.paused\n- .spec.disks[name="a"].size\nconflicts with "b":\n- .spec.replicas',
    );
  });

  it('takes fields over when forced, and drops managers who then own nothing', () => {
    const live = apply(undefined, { replicas: 1 }, 'one');

    const object = apply(live, { replicas: 2 }, 'two', { force: true });

    expect(object['spec']).toEqual({ replicas: 2 });
    expect(owners(object)).toEqual({ two: ['.spec.replicas'] });
  });

  it('shares a field among all who apply the same value', () => {
    const live = apply(undefined, { replicas: 1 }, 'one');

    const object = apply(live, { replicas: 1 }, 'two');

    expect(owners(object)).toEqual({ one: ['.spec.replicas'], two: ['.spec.replicas'] });
  });

  it('keeps the time when nothing changes', () => {
    const live = apply(undefined, { replicas: 1, labels: { a: 'x' } }, 'one');

    const object = apply(live, { replicas: 1, labels: { a: 'x' } }, 'one', { now: LATER });

    expect(object).toEqual(live);
  });

  it('gives all of an untracked object to whoever came before', () => {
    const live = { apiVersion: 'g/v1', kind: 'K', metadata: { name: 'n', uid: 'u' }, spec: { replicas: 1 } };

    const object = apply(live, { paused: true }, 'one');

    expect(owners(object)).toEqual({ 'before-first-apply': ['.spec', '.spec.replicas'], one: ['.spec.paused'] });
  });

  it('tells items apart by keys that have a default', () => {
    const live = apply(undefined, { ports: [{ port: 1 }] }, 'one');

    const object = apply(
      live,
      {
        ports: [
          { port: 1, protocol: 'UDP' },
          { port: 1, protocol: 'TCP' },
        ],
      },
      'two',
    );

    expect(object['spec']).toEqual({
      ports: [
        { port: 1, protocol: 'UDP' },
        { port: 1, protocol: 'TCP' },
      ],
    });
  });

  it('replaces atomic lists as a whole', () => {
    const live = apply(undefined, { args: ['a', 'b'] }, 'one');

    expect(failureOf(() => apply(live, { args: ['b'] }, 'two')).message).toMatch(/: \.spec\.args$/);
    expect(apply(live, { args: ['b'] }, 'one')['spec']).toEqual({ args: ['b'] });
  });

  it('keeps integers that a number cannot hold', () => {
    const live = apply(undefined, { replicas: 2n ** 60n }, 'one');

    expect(apply(live, { replicas: 2n ** 60n, paused: true }, 'one')['spec']).toEqual({
      replicas: 2n ** 60n,
      paused: true,
    });
    expect(failureOf(() => apply(live, { replicas: 2n ** 60n + 1n }, 'two')).code).toBe('conflict');
  });

  it('refuses what does not fit the schema, and names the object', () => {
    const error = failureOf(() => apply(undefined, { none: 1 }, 'one'));

    expect(error.code).toBe('failed');
    expect(error.message).toBe(
      'failed to create typed patch object (/n; g/v1, Kind=K): .spec.none: field not declared in schema',
    );
  });

  it.each([
    { change: { metadata: { name: 'n', managedFields: [] } }, message: 'metadata.managedFields must be nil' },
    { change: { kind: 'Other' }, message: 'invalid object type: g/v1, Kind=Other' },
    { change: { apiVersion: 'v1' }, message: 'invalid object type: /v1, Kind=K' },
  ])('refuses $change', ({ change, message }) => {
    const request = {
      live: undefined,
      applied: { ...configuration({}), ...change },
      manager: 'm',
      force: true,
      now: FIRST,
    };

    expect(failureOf(() => applyConfiguration(MAIN, request))).toMatchObject({ code: 'bad-request', message });
  });

  it('refuses a request without a manager', () => {
    expect(failureOf(() => apply(undefined, {}, '')).code).toBe('bad-request');
  });

  it('lets kubectl go on from what it applied on the client side', () => {
    const lastApplied = JSON.stringify(configuration({ replicas: 1 }));
    const object = {
      ...configuration({ replicas: 1 }),
      metadata: { name: 'n', annotations: { [LAST_APPLIED]: lastApplied } },
    };
    const live = recordUpdate(MAIN, {
      live: undefined,
      updated: object,
      manager: 'kubectl-client-side-apply',
      now: FIRST,
    });

    const result = apply(live, { replicas: 2 }, 'kubectl');

    expect(result['spec']).toEqual({ replicas: 2 });
    expect(result['metadata']).toMatchObject({
      annotations: {
        [LAST_APPLIED]: '{"apiVersion":"g/v1","kind":"K","metadata":{"name":"n"},"spec":{"replicas":2}}\n',
      },
    });
    expect(failureOf(() => apply(live, { replicas: 2 }, 'other')).code).toBe('conflict');
  });

  it('does not let a writer of status own the spec, nor the other way round', () => {
    const status = { ...configuration({ replicas: 1 }), status: { phase: 'A' } };
    const live = applyConfiguration(MAIN, {
      live: undefined,
      applied: status,
      manager: 'one',
      force: false,
      now: FIRST,
    });

    const changed = { ...status, status: { phase: 'B' } };
    const object = applyConfiguration(STATUS, { live, applied: changed, manager: 'one', force: false, now: LATER });

    expect(managedFieldsOf(object)).toMatchObject([
      { fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
      { fieldsV1: { 'f:status': { 'f:phase': {} } }, subresource: 'status' },
    ]);
  });

  it('merges lists that became atomic as a whole', () => {
    const live = apply(undefined, { disks: [disk('a')] }, 'one');
    const disks = { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'atomic' } as const;
    const changed: Endpoint = {
      ...MAIN,
      schema: { type: 'object', properties: { spec: { type: 'object', properties: { disks } } } },
    };

    const request = { live, applied: configuration({ disks: [disk('b')] }), manager: 'one', force: false, now: LATER };
    const object = applyConfiguration(changed, request);

    expect(object['spec']).toEqual({ disks: [disk('b')] });
    expect(owners(object)).toEqual({ one: ['.spec.disks'] });
  });
});

describe('keepTimestamps', () => {
  it('keeps the times of an object that admission put back as it was', () => {
    const live = apply(undefined, { replicas: 1 }, 'one');
    const changed = apply(live, { replicas: 2 }, 'one', { now: LATER });

    expect(keepTimestamps(live, { ...changed, spec: { replicas: 1 } })).toEqual(live);
    expect(keepTimestamps(live, changed)).toBe(changed);
  });
});

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const TEXT: Schema = { type: 'string' };
const SCHEMA: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        paused: { type: 'boolean' },
        labels: { type: 'object', additionalProperties: TEXT },
        args: { type: 'array', items: TEXT, 'x-kubernetes-list-type': 'atomic' },
        tags: { type: 'array', items: TEXT, 'x-kubernetes-list-type': 'set' },
        disks: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: TEXT, size: TEXT } },
        },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: {
            type: 'object',
            properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } },
          },
        },
      },
    },
    status: { type: 'object', properties: { phase: TEXT } },
  },
};
const MAIN: Endpoint = {
  schema: SCHEMA,
  apiVersion: 'g/v1',
  kind: 'K',
  subresource: '',
  isBuiltIn: false,
  resetFields: [['status']],
};
const STATUS: Endpoint = { ...MAIN, subresource: 'status', resetFields: [['metadata'], ['spec']] };

interface Options {
  readonly force?: boolean;
  readonly now?: Date;
}

function apply(
  live: JsonObject | undefined,
  spec: JsonObject | undefined,
  manager: string,
  options: Options = {},
): JsonObject {
  const { force = false, now = FIRST } = options;
  return applyConfiguration(MAIN, { live, applied: configuration(spec), manager, force, now });
}

function create(spec: JsonObject): JsonObject {
  return recordUpdate(MAIN, { live: undefined, updated: configuration(spec), manager: 'kubectl-create', now: FIRST });
}

function configuration(spec: JsonObject | undefined): JsonObject {
  return { apiVersion: 'g/v1', kind: 'K', metadata: { name: 'n' }, ...(spec !== undefined && { spec }) };
}

function disk(name: string, size?: string): JsonObject {
  return { name, ...(size !== undefined && { size }) };
}

/** Who owns which fields, as people read it. */
function owners(object: JsonObject): Record<string, readonly string[]> {
  const entries = (managedFieldsOf(object) ?? []) as readonly JsonObject[];
  return Object.fromEntries(
    entries.map((entry) => [JSON.stringify(entry['manager']).slice(1, -1), paths(entry['fieldsV1'] ?? {}, '')]),
  );
}

function paths(set: JsonValue, prefix: string): readonly string[] {
  if (!isJsonObject(set)) return [];
  return Object.entries(set).flatMap(([element, child]) => {
    if (element === '.') return [];
    const path =
      prefix +
      (element.startsWith('f:') ? `.${element.slice(2)}` : `[${element.slice(3, -1).replace(/"(\w+)":/, '$1=')}]`);
    const isMember = isJsonObject(child) && (Object.keys(child).length === 0 || Object.hasOwn(child, '.'));
    return [...(isMember ? [path] : []), ...paths(child, path)];
  });
}

function failureOf(run: () => unknown): ManagedFieldsError {
  try {
    run();
  } catch (error) {
    if (error instanceof ManagedFieldsError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}
