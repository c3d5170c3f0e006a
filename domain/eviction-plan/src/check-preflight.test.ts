import type { ComputeInstance, MoveTarget } from '@smalt/compute';
import { describe, expect, it } from 'vitest';

import { checkPreflight } from './check-preflight.ts';
import { instance, target } from './fixtures/instances.ts';

const rules = { coldMovesOfRunning: 'forbidden', lockedInstances: 'move' } as const;

describe('checkPreflight', () => {
  it('finds nothing wrong with an empty host', () => {
    expect(check([], [])).toEqual({ problems: [], isRoomMissing: false });
  });

  it('finds room for all when each fits by itself and together', () => {
    const instances = ['a', 'b', 'c'].map((id) => sized(id, { MEMORY_MB: 4096 }));

    expect(check(instances, [target('n2'), target('n3')]).problems).toEqual([]);
  });

  it('counts the room that others take', () => {
    const instances = ['a', 'b', 'c'].map((id) => sized(id, { MEMORY_MB: 5000 }));

    const report = check(instances, [target('n2'), target('n3')]);

    expect(report).toMatchObject({ isRoomMissing: true, problems: [{ kind: 'no-room', id: 'c' }] });
  });

  it.each([
    ['CPUs', { VCPU: 9 }],
    ['CPUs of its own', { PCPU: 3 }],
    ['memory', { MEMORY_MB: 9000 }],
    ['disk', { DISK_GB: 101 }],
    ['something rare', { CUSTOM_RARE: 2 }],
  ])('misses %s', (_what, resources) => {
    const host = target('n2', { free: { ...target('n2').free, PCPU: 2, CUSTOM_RARE: 1 } });

    expect(check([sized('a', resources)], [host]).isRoomMissing).toBe(true);
  });

  it('counts only what is asked for', () => {
    const full = target('n2', { free: { VCPU: 0, PCPU: 16, MEMORY_MB: 1024, DISK_GB: 0 } });

    expect(check([sized('pinned', { PCPU: 16, MEMORY_MB: 1024 })], [full]).problems).toEqual([]);
    expect(check([sized('shared', { VCPU: 1, MEMORY_MB: 1024 })], [full]).isRoomMissing).toBe(true);
  });

  it('does not count what a host has from elsewhere, such as shared disk', () => {
    const diskless = target('n2', { free: { VCPU: 2, MEMORY_MB: 4096 } });
    const instances = ['a', 'b', 'c'].map((id) => sized(id, { VCPU: 1, MEMORY_MB: 1024, DISK_GB: 500 }));

    expect(check(instances, [diskless]).problems).toMatchObject([{ kind: 'no-room', id: 'c' }]);
  });

  it('packs the large ones first, so that they are not left over', () => {
    const instances = [3000, 3000, 5000, 5000].map((memoryMiB, index) => sized(`${index}`, { MEMORY_MB: memoryMiB }));

    expect(check(instances, [target('n2'), target('n3')]).problems).toEqual([]);
  });

  it('gives room first to those with the least choice', () => {
    const small = instance('small', { requiredTraits: ['CUSTOM_GPU'], resources: { MEMORY_MB: 1000 } });
    const large = sized('large', { MEMORY_MB: 8000 });
    const gpuHost = target('gpu');
    const targets = new Map([
      ['small', [gpuHost]],
      ['large', [gpuHost, target('n2')]],
    ]);

    expect(checkPreflight({ instances: [large, small], targets, rules }).problems).toEqual([]);
  });

  it('names what is missing: size, traits and zone', () => {
    const resources = { PCPU: 1, MEMORY_MB: 2048, DISK_GB: 1, VGPU: 2 };
    const wanted = instance('a', { requiredTraits: ['CUSTOM_GPU'], zone: 'az1', resources });

    const [problem] = check([wanted], []).problems;

    expect(problem?.message).toBe(
      'it needs 1 dedicated CPUs, 2048 MiB of memory, 1 GiB of disk, 2 VGPU, traits CUSTOM_GPU, zone az1, and no other enabled host has that',
    );
  });

  it('does not look for room for those that do not move anyway', () => {
    const report = check([instance('a', { state: 'failed' }), instance('b', { state: 'deleting' })], []);

    expect(report).toEqual({ problems: [], isRoomMissing: false });
  });

  it('names those that cannot be moved as they are', () => {
    const report = check([instance('a', { state: 'suspended', stateText: 'SUSPENDED' })], []);

    expect(report).toMatchObject({ isRoomMissing: false, problems: [{ kind: 'non-migratable', id: 'a' }] });
  });

  it('trusts in room where targets are not known', () => {
    expect(checkPreflight({ instances: [instance('a')], targets: new Map(), rules }).problems).toEqual([]);
  });
});

function check(instances: readonly ComputeInstance[], targets: readonly MoveTarget[]) {
  return checkPreflight({ instances, targets: new Map(instances.map(({ id }) => [id, targets])), rules });
}

function sized(id: string, resources: Readonly<Record<string, number>>): ComputeInstance {
  return instance(id, { resources, memoryMiB: resources['MEMORY_MB'] ?? 0 });
}
