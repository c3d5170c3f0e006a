import { resolve } from 'node:path';

import { beforeAll, expect, it } from 'vitest';

import { compareRights } from './compare-rights.ts';
import { NOT_SHOWN } from './exceptions.ts';
import { grantedRights, rightText, type Right } from './granted-rights.ts';
import { readChartRights } from './read-chart-rights.ts';

let rights: readonly Right[];
beforeAll(async () => {
  rights = grantedRights(await readChartRights(resolve(import.meta.dirname, '../..')));
});

it.each(NOT_SHOWN)('excuses what one account of the chart may do: $pattern', ({ pattern }) => {
  const accounts = rights.filter((right) => pattern.test(rightText(right))).map(({ account }) => account);

  expect(new Set(accounts).size).toBe(1);
});

it.each([
  { resource: 'events', verb: 'patch', group: '' },
  { resource: 'nodes/finalizers', verb: 'update', group: '' },
])('lets nobody have $verb $resource without a reason', ({ resource, verb, group }) => {
  const had = new Set(rights.filter((one) => one.resource === resource).map(({ account }) => account));
  const others = [...new Set(rights.map(({ account }) => account))].filter((account) => !had.has(account));
  const added = others.map((account): Right => ({ account, verb, group, resource, name: '', namespace: '' }));

  const { unused } = compareRights({ rights: added, requests: [], notShown: NOT_SHOWN, provoked: [], rightsAway: [] });

  expect(others.length).toBeGreaterThan(3);
  expect(unused).toEqual(added.map(rightText).toSorted());
});
