import type { JsonObject, JsonValue } from '@smalt/json';

import { RULES_NOT_CHECKED, type KindCase } from '@smalt/kind';

const INSTANCE = { spec: { domain: { devices: {} } } };

export const migrationCases: readonly KindCase[] = [
  { title: 'needs no more than a spec', object: migration({}), errors: [] },
  { title: 'needs a spec', object: migration(), errors: ['spec: Required value'] },
  {
    title: 'takes no sender without an address',
    object: migration({ sendTo: { migrationID: 'a' } }),
    errors: ['spec.sendTo.connectURL: Required value'],
  },
  {
    title: 'takes labels as texts only',
    object: migration({ addedNodeSelector: { rack: 2 } }),
    errors: [
      'spec.addedNodeSelector.rack: Invalid value: "integer": spec.addedNodeSelector.rack in body must be of type string: "integer"',
    ],
  },
  {
    title: 'reports how far it is',
    old: migration({ vmiName: 'small' }),
    object: {
      ...migration({ vmiName: 'small' }),
      status: {
        phase: 'Running',
        migrationState: {
          startTimestamp: '2026-08-21T10:00:00Z',
          endTimestamp: null,
          targetDirectMigrationNodePorts: { '45678': 0 },
          migrationConfiguration: { bandwidthPerMigration: '64Mi', completionTimeoutPerGiB: 150 },
        },
      },
    },
    isStatus: true,
    errors: [],
  },
  {
    title: 'reports a downtime that can be',
    old: migration({ vmiName: 'small' }),
    object: {
      ...migration({ vmiName: 'small' }),
      status: { migrationState: { migrationConfiguration: { maxDowntimeMs: 0 } } },
    },
    isStatus: true,
    errors: [
      'status.migrationState.migrationConfiguration.maxDowntimeMs: Invalid value: 0: migrationState.migrationConfiguration.maxDowntimeMs in body should be greater than or equal to 1',
    ],
  },
];

export const replicaSetCases: readonly KindCase[] = [
  {
    title: 'needs no more than a selector and a template',
    object: replicaSet({ selector: {}, template: INSTANCE }),
    errors: [],
  },
  {
    title: 'needs a selector and a template',
    object: replicaSet({ replicas: 1 }),
    errors: ['spec.selector: Required value', 'spec.template: Required value', RULES_NOT_CHECKED],
  },
  {
    title: 'takes no fewer than none',
    object: replicaSet({ replicas: -1, selector: {}, template: INSTANCE }),
    errors: ['.spec.replicas: Invalid value: -1: should be a non-negative integer'],
  },
  {
    title: 'takes no selector without an operator',
    object: replicaSet({ selector: { matchExpressions: [{ key: 'app' }] }, template: INSTANCE }),
    errors: ['spec.selector.matchExpressions[0].operator: Required value', RULES_NOT_CHECKED],
  },
];

function migration(spec?: JsonValue): JsonObject {
  const head = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: { name: 'away', namespace: 'default' },
  };
  return spec === undefined ? head : { ...head, spec };
}

function replicaSet(spec: JsonValue): JsonObject {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceReplicaSet',
    metadata: { name: 'workers', namespace: 'default' },
    spec,
  };
}
