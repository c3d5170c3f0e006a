import { expect, it } from 'vitest';

import { running, stopped } from '../fixtures/machines.ts';
import { filterChoices, matchesFilters, parseMachineFilters } from './machine-filters.ts';

const WEB = running('web-1', { nodeName: 'host-1', interfaces: [{ ipAddress: '10.0.0.7' }] });
const DB = stopped('db-1');

it.each([
  { filters: {}, found: ['web-1', 'db-1'] },
  { filters: { text: 'web' }, found: ['web-1'] },
  { filters: { text: '10.0.0.7' }, found: ['web-1'] },
  { filters: { status: 'Stopped' }, found: ['db-1'] },
  { filters: { host: 'host-1' }, found: ['web-1'] },
  { filters: { namespace: 'shop', text: 'host-1' }, found: ['web-1'] },
  { filters: { namespace: 'other' }, found: [] },
])('finds $found by $filters', ({ filters, found }) => {
  expect([WEB, DB].filter((machine) => matchesFilters(machine, filters)).map(({ name }) => name)).toEqual(found);
});

it('offers what there is to choose from', () => {
  expect(filterChoices([WEB, DB])).toEqual({
    statuses: ['Running', 'Stopped'],
    hosts: ['host-1'],
    namespaces: ['shop'],
  });
});

it('takes from the address only what it knows', () => {
  expect(parseMachineFilters({ text: 'a', status: '', host: 7, other: 'x', namespace: {} })).toEqual({
    text: 'a',
    host: '7',
  });
});
