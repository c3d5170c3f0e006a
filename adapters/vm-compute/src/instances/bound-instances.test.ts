import type { Pod } from '@smalt/placement';
import type { VirtualMachineInstance, VirtualMachineInstanceMigrationState } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { bindingOf } from './bound-instances.ts';

const LEAVING = { deletionTimestamp: '2026-03-01T12:00:00Z' };
const TARGET = { labels: { 'kubevirt.io/migrationJobUID': 'one-before' } };
const TO_B = { sourceNode: 'node-a', sourcePod: 'pod-a', targetNode: 'node-b', targetPod: 'pod-b' };
const TO_C = { sourceNode: 'node-b', sourcePod: 'pod-b', targetNode: 'node-c', targetPod: 'pod-c' };
const MOVED = { completed: true };
const STAYED = { completed: true, failed: true };

it.each([
  { what: 'it was left there by the migration before the last', at: 'node-c', last: { ...TO_C, ...MOVED } },
  { what: 'it was left there, and what came later has failed', at: 'node-b', last: { ...TO_C, ...STAYED } },
  { what: 'it was left there, and the guest moves on', at: 'node-b', last: TO_C },
  {
    what: 'it was left there where it had come to itself, and ends',
    at: 'node-c',
    last: { ...TO_C, ...MOVED },
    pod: { ...TARGET, ...LEAVING },
  },
  { what: 'it was to take the guest over, and ends', at: 'node-b', last: undefined, pod: { ...TARGET, ...LEAVING } },
])('an instance is on no node of a launcher when $what', ({ at, last, pod }) => {
  expect(bindingOf(instance(at, last), 'node-a', [launcher(pod)])).toBeUndefined();
});

it.each([
  { what: 'target of a migration that is not handed over yet', at: 'node-b', pod: TARGET, binding: 'arrival' },
  { what: 'source that still has something of the guest', at: 'node-b', last: TO_B, binding: 'arrival' },
  { what: 'source that has it and ends', at: 'node-b', last: TO_B, pod: LEAVING, binding: 'arrival' },
  { what: 'home', at: 'node-a', pod: LEAVING, binding: 'home' },
  { what: 'target that ends', at: 'node-b', last: { ...TO_B, targetNode: 'node-a' }, pod: LEAVING, binding: 'arrival' },
  // The controller may not have seen yet that it is being deleted, and let it start.
  { what: 'first launcher, though it ends', at: undefined, pod: LEAVING, binding: 'start' },
])('an instance is bound to the node of its $what', ({ at, last, pod, binding }) => {
  expect(bindingOf(instance(at, last), 'node-a', [launcher(pod)])).toBe(binding);
});

function instance(nodeName?: string, migrationState?: VirtualMachineInstanceMigrationState): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'vm', namespace: 'shop', uid: 'vm-uid' },
    spec: { domain: { devices: {} } },
    status: {
      phase: nodeName === undefined ? 'Scheduling' : 'Running',
      ...(nodeName === undefined ? {} : { nodeName }),
      ...(migrationState === undefined ? {} : { migrationState }),
    },
  };
}

function launcher(more: Partial<Pod['metadata']> = {}): Pod {
  const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'vm', uid: 'vm-uid' };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'pod-a', namespace: 'shop', ownerReferences: [owner], ...more },
    spec: { nodeName: 'node-a', containers: [] },
  };
}
