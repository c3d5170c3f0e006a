import { builtInResources } from '@smalt/kubernetes-api';
import type { Resource } from '@smalt/resource';
import { describe, expect, it } from 'vitest';

import { admitEverything } from './admission.ts';
import { openRegistry, refusalOf } from './fixtures/open-registry.ts';
import { machine, writer } from './fixtures/test-objects.ts';
import { machines, namespaces } from './fixtures/test-resources.ts';

const MACHINES = machines();
const RFC_4122 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a new object', () => {
  it('gets its metadata from the server, its defaults, and an owner for each field', async () => {
    await using world = await openRegistry();

    const created = await world.registry.create(MACHINES, 'default', machine('m1', { spec: { zone: 'a' } }), writer());

    expect(created.value).toEqual({
      apiVersion: 'bench.example.dev/v1',
      kind: 'Machine',
      metadata: {
        name: 'm1',
        namespace: 'default',
        uid: expect.stringMatching(RFC_4122),
        creationTimestamp: '2026-01-02T03:04:05Z',
        generation: 1,
        resourceVersion: '2',
        managedFields: [
          {
            manager: 'test',
            operation: 'Update',
            apiVersion: 'bench.example.dev/v1',
            time: '2026-01-02T03:04:05Z',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:spec': { '.': {}, 'f:cpus': {}, 'f:zone': {} } },
          },
        ],
      },
      spec: { zone: 'a', cpus: 1 },
    });
    expect(JSON.parse(created.bytes.toString())).toEqual(created.value);
  });

  it('does not keep what only the server may say', async () => {
    await using world = await openRegistry();
    const given = machine('m1', {
      metadata: {
        uid: 'mine',
        creationTimestamp: '1999-01-01T00:00:00Z',
        deletionTimestamp: '1999-01-01T00:00:00Z',
        generation: 7,
      },
      status: { phase: 'Running' },
    });

    const { value } = await world.registry.create(MACHINES, 'default', given, writer());

    expect(value).toMatchObject({ metadata: { uid: expect.stringMatching(RFC_4122), generation: 1 } });
    expect(value['metadata']).not.toHaveProperty('deletionTimestamp');
    expect(value).not.toHaveProperty('status');
  });

  it('without a name gets one with five random characters that make no words', async () => {
    await using world = await openRegistry();
    const nameless = { ...machine(''), metadata: { generateName: `${'n'.repeat(70)}-` } };

    const created = await world.registry.create(MACHINES, 'default', nameless, writer());

    expect(created.name).toMatch(/^n{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it('of a dry run is shown and not stored', async () => {
    await using world = await openRegistry();

    const shown = await world.registry.create(MACHINES, 'default', machine('m1'), writer({ dryRun: true }));

    expect(shown.value).toMatchObject({ metadata: { name: 'm1', generation: 1 } });
    expect(shown.value['metadata']).not.toHaveProperty('resourceVersion');
    expect(world.store.count('machines.bench.example.dev')).toBe(0);
  });

  it('is in the cluster when its kind has no namespaces', async () => {
    await using world = await openRegistry();
    const given = { metadata: { name: 'team', namespace: 'elsewhere' } };

    const { value } = await world.registry.create(namespaces(), '', given, writer());

    expect(value['metadata']).not.toHaveProperty('namespace');
  });
});

describe('a new object is refused', () => {
  it.each([
    {
      why: 'with a name that is taken',
      object: machine('taken'),
      status: { code: 409, reason: 'AlreadyExists', message: 'machines.bench.example.dev "taken" already exists' },
    },
    {
      why: 'in another namespace than the request names',
      object: machine('m1', { metadata: { namespace: 'other' } }),
      status: {
        code: 400,
        message: 'the namespace of the provided object does not match the namespace sent on the request',
      },
    },
    {
      why: 'with a resourceVersion',
      object: machine('m1', { metadata: { resourceVersion: '5' } }),
      status: { code: 500, message: 'resourceVersion should not be set on objects to be created' },
    },
    {
      why: 'when it is not valid',
      object: machine('m1', { spec: { cpus: 0 } }),
      status: {
        code: 422,
        reason: 'Invalid',
        message: 'Machine.bench.example.dev "m1" is invalid: spec.cpus: Invalid value: 0: must be positive',
        details: {
          name: 'm1',
          group: 'bench.example.dev',
          kind: 'Machine',
          causes: [{ reason: 'FieldValueInvalid', message: 'Invalid value: 0: must be positive', field: 'spec.cpus' }],
        },
      },
    },
    {
      why: 'without a name',
      object: machine(''),
      status: {
        message:
          'Machine.bench.example.dev "" is invalid: metadata.name: Required value: name or generateName is required',
      },
    },
    {
      why: 'with unknown and repeated fields',
      object: machine('m1', { spec: { cpus: 1, junk: true } }),
      context: { duplicateFields: ['spec.cpus'] },
      status: {
        code: 400,
        reason: 'BadRequest',
        message:
          'Machine in version "v1" cannot be handled as a Machine: strict decoding error: duplicate field "spec.cpus", unknown field "spec.junk"',
      },
    },
    {
      why: 'in another version',
      object: machine('m1', { apiVersion: 'bench.example.dev/v2' }),
      status: {
        code: 400,
        message:
          'the API version in the data (bench.example.dev/v2) does not match the expected API version (bench.example.dev/v1)',
      },
    },
    {
      why: 'with metadata of the wrong type',
      object: machine('m1', { metadata: { labels: { app: 1 } } }),
      status: {
        code: 400,
        message:
          'Machine in version "v1" cannot be handled as a Machine: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
      },
    },
    {
      why: 'with metadata that is none',
      object: { ...machine('m1'), metadata: 'm1' },
      status: {
        code: 400,
        message:
          'Machine in version "v1" cannot be handled as a Machine: invalid metadata: expected object, got string',
      },
    },
    {
      why: 'of another kind',
      object: machine('m1', { kind: 'Engine' }),
      status: {
        code: 422,
        message: 'Machine.bench.example.dev "m1" is invalid: kind: Invalid value: "Engine": must be Machine',
      },
    },
  ])('$why', async ({ object, status, context }) => {
    await using world = await openRegistry();
    await world.registry.create(MACHINES, 'default', machine('taken'), writer());

    const refusal = await refusalOf(world.registry.create(MACHINES, 'default', object, writer(context ?? {})));

    expect(refusal).toMatchObject(status);
    expect(world.store.count('machines.bench.example.dev')).toBe(1);
  });

  it('in a namespace that does not exist', async () => {
    await using world = await openRegistry();

    const refusal = await refusalOf(world.registry.create(MACHINES, 'nowhere', machine('m1'), writer()));

    expect(refusal).toMatchObject({ code: 404, message: 'namespaces "nowhere" not found' });
  });

  it('in a namespace that is being deleted', async () => {
    await using world = await openRegistry();
    await world.registry.create(namespaces(), '', { metadata: { name: 'old' } }, writer());
    await world.registry.delete(namespaces(), { namespace: '', name: 'old' }, {}, writer());

    const refusal = await refusalOf(world.registry.create(MACHINES, 'old', machine('m1'), writer()));

    expect(refusal).toMatchObject({
      code: 403,
      message:
        'machines.bench.example.dev "m1" is forbidden: unable to create new content in namespace old because it is being terminated',
      details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] },
    });
  });

  it('while another of its name is being deleted, and says so', async () => {
    await using world = await openRegistry();
    const held = machine('m1', { metadata: { finalizers: ['example.dev/hold'] } });
    await world.registry.create(MACHINES, 'default', held, writer());
    await world.registry.delete(MACHINES, { namespace: 'default', name: 'm1' }, {}, writer());

    const refusal = await refusalOf(world.registry.create(MACHINES, 'default', machine('m1'), writer()));

    expect(refusal.message).toBe('object is being deleted: machines.bench.example.dev "m1" already exists');
  });
});

describe('field validation', () => {
  const junk = machine('m1', { spec: { cpus: 1, junk: true } });

  it('warns when told to, and drops the field', async () => {
    await using world = await openRegistry();
    const warnings: string[] = [];
    const context = writer({ fieldValidation: 'Warn', addWarning: (text) => warnings.push(text) });

    const created = await world.registry.create(MACHINES, 'default', junk, context);

    expect(warnings).toEqual(['unknown field "spec.junk"']);
    expect(created.value['spec']).toEqual({ cpus: 1 });
  });

  it('says nothing when told to', async () => {
    await using world = await openRegistry();
    const warnings: string[] = [];
    const context = writer({ fieldValidation: 'Ignore', addWarning: (text) => warnings.push(text) });

    await world.registry.create(MACHINES, 'default', junk, context);

    expect(warnings).toEqual([]);
  });
});

it('needs no apiVersion and kind where the path says them, and refuses values of the wrong type', async () => {
  await using world = await openRegistry();

  const maps = builtIn('configmaps');
  const created = await world.registry.create(maps, 'default', { metadata: { name: 'c' } }, writer());
  const refusal = await refusalOf(
    world.registry.create(maps, 'default', { metadata: { name: 'd' }, data: { a: 1 } }, writer()),
  );

  expect(created.value).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
  expect(refusal.message).toBe(
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
  );
});

it('warns of owner references that stand there twice, and keeps one', async () => {
  await using world = await openRegistry();
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u-1' };
  const warnings: string[] = [];
  const object = machine('m1', { metadata: { ownerReferences: [owner, owner] } });

  const context = writer({ addWarning: (text) => warnings.push(text) });
  const created = await world.registry.create(MACHINES, 'default', object, context);

  expect(created.value).toMatchObject({ metadata: { ownerReferences: [owner] } });
  expect(warnings).toEqual([
    '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u-1',
  ]);
});

it('lets admission change the object before it is checked, and refuse it after', async () => {
  const seen: unknown[] = [];
  await using world = await openRegistry({
    admission: {
      ...admitEverything(),
      mutate: (review) => Promise.resolve(review.object && { ...review.object, spec: { cpus: 8 } }),
      validate: (review) => {
        seen.push([review.operation, review.name, review.object?.['spec']]);
        return Promise.resolve();
      },
    },
  });

  const created = await world.registry.create(MACHINES, 'default', machine('m1', { spec: { cpus: 0 } }), writer());

  expect(created.value['spec']).toEqual({ cpus: 8 });
  expect(seen).toContainEqual(['CREATE', 'm1', { cpus: 8 }]);
});

it('stores an event once, and shows it to both groups in their own words', async () => {
  await using world = await openRegistry();
  const core = builtIn('events');
  const other = builtIn('events', 'events.k8s.io');
  const key = { namespace: 'default', name: 'e' };
  const event = {
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
    message: 'hello',
    type: 'Normal',
    reason: 'Started',
    eventTime: '2026-01-02T03:04:05.000000Z',
    reportingComponent: 'example.dev/agent',
    reportingInstance: 'agent-1',
    action: 'Start',
  };

  await world.registry.create(core, 'default', event, writer());
  const patch = { kind: 'merge', body: { metadata: { labels: { seen: 'yes' } } } } as const;
  const patched = await world.registry.patch(other, key, patch, { context: writer(), subresource: '' });

  expect(patched.object.value).toMatchObject({
    apiVersion: 'events.k8s.io/v1',
    note: 'hello',
    regarding: { name: 'p' },
  });
  expect((await world.registry.get(core, key)).value).toMatchObject({
    apiVersion: 'v1',
    metadata: { labels: { seen: 'yes' } },
    message: 'hello',
    involvedObject: { name: 'p' },
  });
  expect(world.store.count('events')).toBe(1);
});

function builtIn(plural: string, group = ''): Resource {
  const resource = builtInResources().find((each) => each.plural === plural && each.group === group);
  if (resource === undefined) throw new Error(`there is no ${plural}`);
  return resource;
}
