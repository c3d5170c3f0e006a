import { describe, expect, it } from 'vitest';

import {
  defaultRecoveryPolicy as defaults,
  policyProblems,
  type RecoveryPolicy,
  type RecoverySegment,
} from './index.ts';

const { instances } = defaults;

describe('policyProblems', () => {
  it('finds nothing wrong with the defaults, nor with a segment of each method', () => {
    const segments = [
      segment({ name: 'a' }),
      segment({ name: 'b', method: 'reserved-host', reservedHosts: ['r1'] }),
      segment({ name: 'c', method: 'auto-priority', reservedHosts: ['r2', 'r3'] }),
      segment({ name: 'd', method: 'reserved-host-priority', reservedHosts: ['r4'] }),
    ];

    expect(policyProblems(defaults)).toEqual([]);
    expect(policyProblems({ ...defaults, segments })).toEqual([]);
  });

  it.each<[string, Partial<RecoveryPolicy>]>([
    ['segments[0].name', { segments: [segment({ name: ' ' })] }],
    ['segments[0].method', { segments: [segment({ method: wrong('any'), reservedHosts: ['r1'] })] }],
    ['segments[0].reservedHosts', { segments: [segment({ method: 'reserved-host' })] }],
    ['segments[0].reservedHosts', { segments: [segment({ reservedHosts: ['r1'] })] }],
    ['segments[0].reservedHosts', { segments: [segment({ method: 'auto-priority', reservedHosts: ['r1', 'r1'] })] }],
    ['segments[0].hosts.names', { segments: [segment({ hosts: { names: [] } })] }],
    ['segments[0].hosts.zones', { segments: [segment({ hosts: { zones: [] } })] }],
    ['segments', { segments: [segment({ name: 'a' }), segment({ name: 'a' })] }],
    [
      'segments',
      { segments: ['a', 'b'].map((name) => segment({ name, method: 'reserved-host', reservedHosts: ['r1'] })) },
    ],
    ['includeAggregates', { includeAggregates: [] }],
    ['excludeAggregates', { includeAggregates: ['a'], excludeAggregates: ['a'] }],
    ['instances.sources', { instances: { ...instances, mode: 'marked', sources: [] } }],
    ['instances.sources', { instances: { ...instances, sources: [wrong('image')] } }],
    ['instances.sources', { instances: { ...instances, sources: ['flavor', 'flavor'] } }],
    ['instances.enabledKey', { instances: { ...instances, enabledKey: '' } }],
    ['instances.priorityKey', { instances: { ...instances, priorityKey: 'HA_Enabled' } }],
    ['instances.defaultPriority', { instances: { ...instances, defaultPriority: Number.NaN } }],
  ])('names %s', (field, part) => {
    expect(policyProblems({ ...defaults, ...part })).toEqual([expect.stringContaining(`${field}: `)]);
  });
});

/** What a file may hold before anybody has checked it. */
function wrong(word: string): never {
  return word as never;
}

function segment(part: Partial<RecoverySegment> = {}): RecoverySegment {
  return { name: 's', isEnabled: true, hosts: {}, method: 'auto', reservedHosts: [], joinsAggregates: false, ...part };
}
