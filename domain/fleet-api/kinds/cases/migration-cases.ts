import type { JsonObject, JsonValue } from '@smalt/json';

import type { KindCase } from '@smalt/kind';

export const migrationCases: readonly KindCase[] = [
  { title: 'is accepted without a status', object: migration(), errors: [] },
  { title: 'needs a spec, empty as it is', object: withoutSpec(), errors: ['spec: Required value'] },
  {
    title: 'reports all that libvirt tells',
    ...report({
      started: '2026-08-21T10:00:00Z',
      origin: 'node002-bb086',
      destination: 'node008-bb086',
      type: 'completed',
      operation: 'migration_in',
      timeElapsed: '2.755s',
      dataTotal: '4.0 GiB',
      dataProcessed: '10.4 MiB',
      dataRemaining: '0 B',
      memBps: '16.5 MiB/s',
      memDirtyRate: '0/s',
      memIteration: 3,
    }),
  },
  { title: 'must report when it began', ...report({ origin: 'node1' }, ['status.started: Required value']) },
  {
    title: 'must report a time that is one',
    ...report({ started: 'yesterday' }, [
      'status.started: Invalid value: "yesterday": started in body must be of type date-time: "yesterday"',
    ]),
  },
  {
    title: 'counts in whole numbers',
    ...report({ started: '2026-08-21T10:00:00Z', memIteration: '3' }, [
      'status.memIteration: Invalid value: "string": memIteration in body must be of type integer: "string"',
    ]),
  },
];

function report(status: JsonValue, errors: readonly string[] = []): Omit<KindCase, 'title'> {
  return { old: migration(), object: { ...migration(), status }, isStatus: true, errors };
}

function withoutSpec(): JsonObject {
  const { spec: _spec, ...rest } = migration();
  return rest;
}

function migration(): JsonObject {
  return {
    apiVersion: 'kvm.cloud.sap/v1alpha1',
    kind: 'Migration',
    metadata: { name: '12e479eb-6bef-4fdb-bfdc-0388df68bed9', namespace: 'default' },
    spec: {},
  };
}
