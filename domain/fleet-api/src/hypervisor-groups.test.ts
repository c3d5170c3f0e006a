import { describe, expect, it } from 'vitest';

import type { HypervisorGroup } from './generated/objects.gen.ts';
import { getAggregates, getTraits, hasAggregate, hasTrait } from './hypervisor-groups.ts';

describe('groups of a hypervisor', () => {
  it('gives the traits and the aggregates in the order they stand in', () => {
    const groups = [trait('B'), aggregate('one', 'u1'), trait('A'), aggregate('two', 'u2')];

    expect(getTraits(groups)).toEqual([{ name: 'B' }, { name: 'A' }]);
    expect(getAggregates(groups)).toEqual([
      { name: 'one', uuid: 'u1' },
      { name: 'two', uuid: 'u2' },
    ]);
  });

  it('finds a trait by its name and an aggregate by its id', () => {
    const groups = [trait('A'), aggregate('one', 'u1')];

    expect([hasTrait(groups, 'A'), hasTrait(groups, 'one'), hasTrait(groups, 'B')]).toEqual([true, false, false]);
    expect([hasAggregate(groups, 'u1'), hasAggregate(groups, 'one')]).toEqual([true, false]);
  });

  it.each([undefined, []])('finds nothing in %j', (groups) => {
    expect([hasTrait(groups, 'A'), hasAggregate(groups, 'u1')]).toEqual([false, false]);
    expect([getTraits(groups), getAggregates(groups)]).toEqual([[], []]);
  });
});

function trait(name: string): HypervisorGroup {
  return { trait: { name } };
}

function aggregate(name: string, uuid: string): HypervisorGroup {
  return { aggregate: { name, uuid } };
}
