import type { VirtualMachineInstance } from '@smalt/vm-api';
import type { ObservedPod } from '@smalt/vm-lifecycle';
import { expect, it } from 'vitest';

import { strayTargets } from './stray-targets.ts';

it('lets the target of a migration go that is gone', () => {
  const pods = [pod('home'), pod('target', 'm1')];

  expect(strayTargets({ vmi: instance(), pods }, () => false)).toEqual([
    { kind: 'delete-pod', name: 'target', uid: 'uid-target', isForced: false },
  ]);
});

it.each([
  { what: 'whose migration is there', state: undefined, isKnown: true },
  { what: 'that the guest may be on its way to', state: { sourcePod: 'home', targetPod: 'target' }, isKnown: false },
  {
    what: 'that has become the home of the guest',
    state: { sourcePod: 'home', targetPod: 'target', completed: true },
    isKnown: false,
  },
])('keeps a pod $what', ({ state, isKnown }) => {
  const pods = [pod('home'), pod('target', 'm1')];

  expect(strayTargets({ vmi: instance(state), pods }, () => isKnown)).toEqual([]);
});

it('keeps the pod that a guest has left no trace of but its own label', () => {
  const state = { sourcePod: 'second', targetPod: 'third', completed: true, failed: true };
  const pods = [pod('second', 'forgotten'), pod('third', 'm3')];

  const strays = strayTargets({ vmi: instance(state), pods }, (uid) => uid === 'm3');

  expect(strays).toEqual([]);
});

function pod(name: string, migration?: string): ObservedPod {
  const labels: Readonly<Record<string, string>> =
    migration === undefined ? {} : { 'kubevirt.io/migrationJobUID': migration };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, uid: `uid-${name}`, labels },
    spec: { nodeName: 'n1', containers: [] },
  };
}

function instance(
  migrationState?: NonNullable<VirtualMachineInstance['status']>['migrationState'],
): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'vm' },
    spec: { domain: { devices: {} } },
    status: { phase: 'Running', nodeName: 'n1', ...(migrationState === undefined ? {} : { migrationState }) },
  };
}
