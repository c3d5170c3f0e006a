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
    const instances = ['a', 'b', 'c'].map((id) => instance(id, { memoryMiB: 4096 }));

    expect(check(instances, [target('n2'), target('n3')]).problems).toEqual([]);
  });

  it('counts the room that others take', () => {
    const instances = ['a', 'b', 'c'].map((id) => instance(id, { memoryMiB: 5000 }));

    const report = check(instances, [target('n2'), target('n3')]);

    expect(report).toMatchObject({ isRoomMissing: true, problems: [{ kind: 'no-room', id: 'c' }] });
  });

  it.each([
    ['CPUs', { vcpus: 9 }],
    ['memory', { memoryMiB: 9000 }],
    ['disk', { diskGiB: 101 }],
  ])('misses %s', (_what, needs) => {
    expect(check([instance('a', needs)], [target('n2')]).isRoomMissing).toBe(true);
  });

  it('packs the large ones first, so that they are not left over', () => {
    const instances = [3000, 3000, 5000, 5000].map((memoryMiB, index) => instance(`${index}`, { memoryMiB }));

    expect(check(instances, [target('n2'), target('n3')]).problems).toEqual([]);
  });

  it('gives room first to those with the least choice', () => {
    const small = instance('small', { requiredTraits: ['CUSTOM_GPU'], memoryMiB: 1000 });
    const large = instance('large', { memoryMiB: 8000 });
    const gpuHost = target('gpu');
    const targets = new Map([
      ['small', [gpuHost]],
      ['large', [gpuHost, target('n2')]],
    ]);

    expect(checkPreflight({ instances: [large, small], targets, rules }).problems).toEqual([]);
  });

  it('names what is missing: size, traits and zone', () => {
    const wanted = instance('a', { requiredTraits: ['CUSTOM_GPU'], zone: 'az1', memoryMiB: 2048 });

    const [problem] = check([wanted], []).problems;

    expect(problem?.message).toBe(
      'it needs 1 CPUs, 2048 MiB of memory and 1 GiB of disk, traits CUSTOM_GPU, zone az1, and no other enabled host has that',
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
