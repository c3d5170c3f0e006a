import type { AggregateMembership, ComputeAggregate } from '@smalt/compute';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { planMemberships } from './plan-memberships.ts';

const [zone, test, special, own] = ['zone', 'test', 'special', 'own'].map((name, index) => aggregate(name, index));
const known = [zone, test, special, own].filter((each) => each !== undefined);

it.each([
  { what: 'add only', names: ['zone', 'test'], joined: ['zone'], joins: ['test'], leaves: [] },
  { what: 'remove only', names: ['zone'], joined: ['zone', 'test'], joins: [], leaves: ['test'] },
  { what: 'replace', names: ['zone', 'special'], joined: ['zone', 'test'], joins: ['special'], leaves: ['test'] },
  { what: 'remove all', names: [], joined: ['zone', 'test'], joins: [], leaves: ['zone', 'test'] },
  { what: 'nothing, in any order', names: ['test', 'zone'], joined: ['zone', 'test'], joins: [], leaves: [] },
  {
    what: 'what is missing',
    names: ['zone', 'x', 'y'],
    joined: ['test'],
    joins: ['zone'],
    leaves: ['test'],
    missing: ['x', 'y'],
  },
])('plans: $what', ({ names, joined, joins, leaves, missing = [] }) => {
  const plan = planMemberships({ names, ours: undefined }, membership(joined));

  expect({ joins: plan.joins.map(nameOf), leaves: plan.leaves.map(nameOf), missing: plan.missing }).toEqual({
    joins,
    leaves,
    missing,
  });
});

it('takes a host only out of aggregates that are ours, if told which', () => {
  const plan = planMemberships(
    { names: ['zone'], ours: new Set(['zone', 'test']) },
    membership(['zone', 'test', 'own']),
  );

  expect(plan.leaves.map(nameOf)).toEqual(['test']);
});

it('is content with the one of several of a name that the host is in', () => {
  const twins = [aggregate('zone', 7), aggregate('zone', 8)];

  const plan = planMemberships({ names: ['zone'], ours: undefined }, { known: twins, joined: new Set(['8']) });

  expect(plan).toMatchObject({ joins: [], leaves: [], stays: [{ id: '8' }] });
});

it('always ends where it was to go, and is done then', () => {
  const someOf = fc.subarray(known.map(nameOf));
  fc.assert(
    fc.property(someOf, someOf, (names, before) => {
      const plan = planMemberships({ names, ours: undefined }, membership(before));
      const left = plan.leaves.map(nameOf);
      const after = [...before, ...plan.joins.map(nameOf)].filter((name) => !left.includes(name));

      expect(after.toSorted()).toEqual(names.toSorted());
      expect(planMemberships({ names, ours: undefined }, membership(after))).toMatchObject({
        joins: [],
        leaves: [],
      });
    }),
  );
});

function membership(names: readonly string[]): AggregateMembership {
  return { known, joined: new Set(known.filter(({ name }) => names.includes(name)).map(({ id }) => id)) };
}

function aggregate(name: string, id: number): ComputeAggregate {
  return { id: String(id), uuid: `uuid-of-${name}`, name, metadata: undefined };
}

function nameOf({ name }: ComputeAggregate): string {
  return name;
}
