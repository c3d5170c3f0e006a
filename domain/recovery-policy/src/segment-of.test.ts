import { describe, expect, it } from 'vitest';

import {
  defaultRecoveryPolicy,
  segmentOf,
  type HostPlace,
  type HostSelector,
  type RecoveryPolicy,
  type RecoverySegment,
} from './index.ts';

describe('segmentOf', () => {
  it.each<[string, HostSelector, boolean]>([
    ['nothing', {}, true],
    ['its name', { names: ['n1'] }, true],
    ['a pattern', { names: ['x*', 'n?'] }, true],
    ['another name', { names: ['n10'] }, false],
    ['its label', { labels: { rack: 'r1' } }, true],
    ['a pattern of its label', { labels: { rack: 'r*' } }, true],
    ['all its labels', { labels: { rack: 'r1', room: 'a' } }, true],
    ['a label that it lacks', { labels: { rack: 'r1', row: '*' } }, false],
    ['its aggregate', { aggregates: ['other', 'blue'] }, true],
    ['another aggregate', { aggregates: ['other'] }, false],
    ['its zone', { zones: ['z2', 'z1'] }, true],
    ['another zone', { zones: ['z2'] }, false],
    ['its name and another zone', { names: ['n1'], zones: ['z2'] }, false],
  ])('selects by %s', (_what, hosts, isSelected) => {
    const cover = segmentOf(place(), policy([segment('mine', { hosts })]));

    expect(cover).toMatchObject({ kind: 'covered', segment: { name: isSelected ? 'mine' : 'default' } });
  });

  it('takes the first that matches, and the default for what no other names', () => {
    const segments = [segment('a', { hosts: { names: ['m*'] } }), segment('b'), segment('c')];

    expect(segmentOf(place(), policy(segments))).toMatchObject({ segment: { name: 'b' } });
    expect(segmentOf(place(), policy([]))).toMatchObject({ segment: { name: 'default', method: 'auto' } });
    expect(
      segmentOf({ ...place(), zone: undefined }, policy([segment('z', { hosts: { zones: ['z1'] } })])),
    ).toMatchObject({
      segment: { name: 'default' },
    });
  });

  it.each<[string, Partial<RecoveryPolicy>, string | undefined]>([
    ['in a segment that is not enabled', { segments: [segment('s', { isEnabled: false })] }, 'segment s'],
    ['in an aggregate that is excluded', { excludeAggregates: ['blue'] }, 'aggregate blue'],
    ['in no aggregate that is included', { includeAggregates: ['a', 'b'] }, 'aggregates a, b'],
    ['in one that is included', { includeAggregates: ['blue'] }, undefined],
    [
      'in one that is included and one that is excluded',
      { includeAggregates: ['blue'], excludeAggregates: ['green'] },
      'green',
    ],
    ['where nothing is filtered', { excludeAggregates: ['other'] }, undefined],
  ])('leaves a host alone that is %s', (_what, part, why) => {
    const cover = segmentOf(place(), { ...defaultRecoveryPolicy, ...part });

    const said = cover.kind === 'excluded' ? cover.why : undefined;
    expect(said?.startsWith('n1 ')).toBe(why === undefined ? undefined : true);
    expect(said ?? '').toContain(why ?? '');
  });
});

function place(): HostPlace {
  const aggregates = [
    { name: 'blue', metadata: undefined },
    { name: 'green', metadata: {} },
  ];
  return { name: 'n1', labels: { rack: 'r1', room: 'a' }, zone: 'z1', aggregates };
}

function policy(segments: readonly RecoverySegment[]): RecoveryPolicy {
  return { ...defaultRecoveryPolicy, segments };
}

function segment(name: string, part: Partial<RecoverySegment> = {}): RecoverySegment {
  return { name, isEnabled: true, hosts: {}, method: 'auto', reservedHosts: [], joinsAggregates: false, ...part };
}
