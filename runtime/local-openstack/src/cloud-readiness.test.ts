import { expect, it } from 'vitest';

import { lookForComputes, missingSightings } from './cloud-readiness.ts';

it.each([
  {
    what: 'nothing when every host is seen everywhere',
    up: ['a', 'b'],
    hypervisors: ['b', 'a'],
    inventoried: ['a', 'b'],
  },
  { what: 'a host that is not up', up: ['a'], missing: ['b is not up'] },
  { what: 'a host without a cell', hypervisors: ['b'], missing: ['a is not listed as a hypervisor'] },
  { what: 'a host without inventory', inventoried: ['a'], missing: ['b is not known to Placement with an inventory'] },
  { what: 'a host of a similar name', up: ['a', 'b1'], missing: ['b is not up'] },
])('tells of $what', ({ up, hypervisors, inventoried, missing = [] }) => {
  const all = ['a', 'b'];

  const found = missingSightings(all, {
    up: up ?? all,
    hypervisors: hypervisors ?? all,
    inventoried: inventoried ?? all,
  });

  expect(found).toEqual(missing);
});

it('counts a host that is full, and not one whose inventory is yet to come', async () => {
  const endpoints = { identity: '', placement: 'p', image: '', compute: 'c', network: '' };
  const providers = [
    { name: 'full', uuid: '1' },
    { name: 'new', uuid: '2' },
  ];
  const answers: Readonly<Record<string, unknown>> = {
    'c/os-services?binary=nova-compute': { services: [{ host: 'full', state: 'up' }] },
    'c/os-hypervisors': { hypervisors: [{ hypervisor_hostname: 'full' }] },
    'p/resource_providers': { resource_providers: providers },
    'p/resource_providers/1/inventories': { inventories: { VCPU: { total: 2, allocation_ratio: 4 } } },
    'p/resource_providers/2/inventories': { inventories: {} },
  };

  const seen = await lookForComputes({ request: async (url) => answers[url] }, endpoints);

  expect(seen).toEqual({ up: ['full'], hypervisors: ['full'], inventoried: ['full'] });
});
