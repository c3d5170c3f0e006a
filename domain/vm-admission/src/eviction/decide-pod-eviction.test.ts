import { describe, expect, it } from 'vitest';

import type { VirtualMachineInstance } from '@smalt/vm-api';

import { instance, settings, spec } from '../fixtures/small-instance.ts';
import { decidePodEviction, evictedInstanceName, type EvictedPod, type PodEviction } from './decide-pod-eviction.ts';

const TRIGGERED = 'Eviction triggered evacuation of VMI "default/small"';

describe('decidePodEviction', () => {
  it.each([
    { strategy: 'None', canMove: true, kind: 'allow', message: undefined },
    { strategy: 'LiveMigrate', canMove: true, kind: 'evacuate', message: TRIGGERED },
    {
      strategy: 'LiveMigrate',
      canMove: false,
      kind: 'deny',
      message: 'VMI small is configured with an eviction strategy but is not live-migratable',
    },
    { strategy: 'LiveMigrateIfPossible', canMove: true, kind: 'evacuate', message: TRIGGERED },
    { strategy: 'LiveMigrateIfPossible', canMove: false, kind: 'allow', message: undefined },
    { strategy: 'External', canMove: false, kind: 'evacuate', message: TRIGGERED },
    { strategy: undefined, canMove: true, kind: 'allow', message: undefined },
  ])('$strategy of a guest that can move: $canMove', ({ strategy, canMove, kind, message }) => {
    const guest = evictable(strategy, canMove);

    const decision = decidePodEviction({ pod: pod(), instance: guest }, settings());

    expect(decision).toMatchObject(message === undefined ? { kind } : { kind, code: 429, message });
  });

  it('asks the cluster where the guest does not say', () => {
    const decision = decidePodEviction(
      { pod: pod(), instance: evictable(undefined, true) },
      settings({ evictionStrategy: 'LiveMigrate' }),
    );

    expect(decision).toEqual({
      kind: 'evacuate',
      code: 429,
      message: TRIGGERED,
      operations: [{ op: 'add', path: '/status/evacuationNodeName', value: 'node-1' }],
    });
  });

  it('does not ask for the same evacuation twice', () => {
    const guest = evictable('LiveMigrate', true, { evacuationNodeName: 'node-1' });

    expect(decidePodEviction({ pod: pod(), instance: guest }, settings())).toEqual({
      kind: 'deny',
      code: 429,
      message: `Evacuation in progress: ${TRIGGERED}`,
    });
  });

  it('keeps the pod that a guest is moving to', () => {
    const target = pod({ nodeName: 'node-2' });

    expect(decidePodEviction({ pod: target, instance: evictable('LiveMigrate', true) }, settings())).toEqual({
      kind: 'deny',
      code: 429,
      message: 'Eviction request for target Pod',
    });
  });

  it.each([
    {
      title: 'without annotations',
      annotations: undefined,
      operation: { op: 'add', path: '/metadata/annotations', value: { 'kubevirt.io/eviction-source': 'descheduler' } },
    },
    {
      title: 'with annotations',
      annotations: { a: 'b' },
      operation: { op: 'add', path: '/metadata/annotations/kubevirt.io~1eviction-source', value: 'descheduler' },
    },
  ])('notes that a descheduler asked, on a guest $title', ({ annotations, operation }) => {
    const guest = evictable('LiveMigrate', true);
    const metadata = annotations === undefined ? guest.metadata : { ...guest.metadata, annotations };
    const eviction = {
      pod: pod(),
      instance: { ...guest, metadata },
      annotations: { 'requested-by': 'sigs.k8s.io/descheduler' },
    };

    expect(decidePodEviction(eviction, settings())).toMatchObject({
      operations: [{ path: '/status/evacuationNodeName' }, operation],
    });
  });

  it.each([
    { title: 'is not of a guest', eviction: { pod: pod({ labels: { app: 'web' } }) } },
    { title: 'has ended', eviction: { pod: pod({ phase: 'Succeeded' }) } },
    { title: 'names no guest', eviction: { pod: pod({ annotations: {} }) } },
    { title: 'holds plugged volumes of a pod that is gone', eviction: { pod: hotplugPod() } },
    {
      title: 'holds plugged volumes of a pod that has ended',
      eviction: { pod: hotplugPod(), owner: pod({ phase: 'Failed' }) },
    },
    { title: 'holds plugged volumes of a guest that is gone', eviction: { pod: hotplugPod(), owner: pod() } },
  ] satisfies readonly { title: string; eviction: PodEviction }[])('lets a pod go that $title', ({ eviction }) => {
    expect(decidePodEviction(eviction, settings())).toEqual({ kind: 'allow' });
  });

  it('keeps plugged volumes with their guest', () => {
    const eviction = { pod: hotplugPod(), owner: pod(), instance: evictable('None', true) };

    expect(evictedInstanceName(eviction)).toBe('small');
    expect(decidePodEviction(eviction, settings())).toEqual({
      kind: 'deny',
      code: 429,
      message: 'cannot evict hotplug pod: hp-volume-1 associated with running vmi: small in namespace default',
    });
  });

  it('keeps volumes with their guest whose pod names it itself', () => {
    const holder = { ...hotplugPod(), annotations: { 'kubevirt.io/domain': 'small' } };
    const eviction = { pod: holder, instance: evictable('None', true) };

    expect(decidePodEviction(eviction, settings())).toMatchObject({ kind: 'deny', code: 429 });
    expect(decidePodEviction({ pod: { ...holder, phase: 'Succeeded' } }, settings())).toEqual({ kind: 'allow' });
  });

  it('keeps a pod whose guest cannot be found', () => {
    expect(decidePodEviction({ pod: pod() }, settings())).toEqual({
      kind: 'deny',
      code: 429,
      message: 'kubevirt failed getting the vmi: virtualmachineinstances.kubevirt.io "small" not found',
    });
  });
});

function evictable(
  evictionStrategy: string | undefined,
  canMove: boolean,
  status: VirtualMachineInstance['status'] = {},
): VirtualMachineInstance {
  const conditions = [{ type: 'LiveMigratable', status: canMove ? 'True' : 'False' }];
  return instance(evictionStrategy === undefined ? spec() : spec({ evictionStrategy }), {
    status: { nodeName: 'node-1', conditions, ...status },
  });
}

function pod(parts: Partial<EvictedPod> = {}): EvictedPod {
  return {
    name: 'virt-launcher-small-1',
    namespace: 'default',
    labels: { 'kubevirt.io': 'virt-launcher' },
    annotations: { 'kubevirt.io/domain': 'small' },
    nodeName: 'node-1',
    phase: 'Running',
    ...parts,
  };
}

function hotplugPod(): EvictedPod {
  return pod({ name: 'hp-volume-1', labels: { 'kubevirt.io': 'hotplug-disk' }, annotations: {} });
}
