import type { VirtualMachineInstance, VirtualMachineInstanceMigrationState } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { withMigrationState } from './with-migration-state.ts';

const STATE = { migrationUid: 'm1', sourceNode: 'n1', targetNode: 'n2' };

describe('withMigrationState', () => {
  it('hands an instance over that has arrived: node, labels and all', () => {
    const moved = { ...STATE, completed: true };

    expect(withMigrationState(instance(), moved)).toMatchObject({
      metadata: { labels: { app: 'x', 'kubevirt.io/nodeName': 'n2' } },
      status: { nodeName: 'n2', migrationState: moved },
    });
    expect(withMigrationState(instance(), moved).metadata.labels).not.toHaveProperty(
      'kubevirt.io/migrationTargetNodeName',
    );
    expect(withMigrationState(instance(), moved).status).not.toHaveProperty('evacuationNodeName');
  });

  it.each<[string, VirtualMachineInstanceMigrationState]>([
    ['is under way', STATE],
    ['has failed', { ...STATE, completed: true, failed: true }],
    ['names no target', { migrationUid: 'm1', sourceNode: 'n1', completed: true }],
  ])('leaves an instance where it is whose migration %s', (_, state) => {
    const before = instance();

    expect(withMigrationState(before, state)).toEqual({
      ...before,
      status: { ...before.status, migrationState: state },
    });
  });

  it('moves an instance once', () => {
    const there = withMigrationState(instance(), { ...STATE, completed: true });
    const labelled = {
      ...there,
      metadata: { ...there.metadata, labels: { 'kubevirt.io/nodeName': 'n2', later: 'y' } },
    };

    expect(withMigrationState(labelled, { ...STATE, completed: true }).metadata.labels).toEqual(
      labelled.metadata.labels,
    );
  });
});

function instance(): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: {
      name: 'vm',
      labels: { app: 'x', 'kubevirt.io/nodeName': 'n1', 'kubevirt.io/migrationTargetNodeName': 'n2' },
    },
    spec: { domain: { devices: {} } },
    status: { nodeName: 'n1', evacuationNodeName: 'n1', migrationState: STATE },
  };
}
