import type { Hypervisor } from '@smalt/fleet-api';
import { expect, it } from 'vitest';

import { hostStates, matchesHostFilters, parseHostFilters } from './host-filters.ts';

it('reads filters from an address and leaves out what is none', () => {
  expect(parseHostFilters({ text: 12, state: 'In use', page: 3 })).toEqual({ text: '12', state: 'In use' });
  expect(parseHostFilters({ text: '', state: ['x'] })).toEqual({});
});

it.each([
  ['its name', { text: 'HV1' }, true],
  ['its address', { text: '10.0.0' }, true],
  ['its version', { text: 'libvirt 9' }, true],
  ['something else', { text: 'hv2' }, false],
  ['its state', { state: 'In use' }, true],
  ['another state', { state: 'Being emptied' }, false],
])('finds a host by %s', (_by, filters, expected) => {
  expect(matchesHostFilters(host('hv1', 'Active'), filters)).toBe(expected);
});

it('offers each state that a host is in, once', () => {
  const hosts = [host('a', 'Active'), host('b', 'Evicting'), host('c', 'Active')];

  expect(hostStates(hosts)).toEqual(['Being emptied', 'In use']);
});

function host(name: string, lifecycleState: string): Hypervisor {
  const status = { numInstances: 0, lifecycleState, internalIp: '10.0.0.7', libVirtVersion: '9.0.0' };
  return { apiVersion: 'kvm.cloud.sap/v1', kind: 'Hypervisor', metadata: { name }, status } as Hypervisor;
}
