import type { OVSNodeStatus } from '@smalt/ovs-api';
import { expect, it } from 'vitest';

import { readTopology } from './read-topology.ts';
import { topologyRevision } from './topology-revision.ts';

const TOPOLOGY = {
  at: '2026-01-01T00:00:00Z',
  bridges: [{ name: 'br-int', ports: [{ name: 'tap1', interfaces: [{ name: 'tap1', type: '', link: 'Up' }] }] }],
};

it('is read as the agent tells it', () => {
  expect(readTopology(TOPOLOGY)).toEqual(TOPOLOGY);
});

it.each([
  [undefined],
  ['text'],
  [{ ...TOPOLOGY, at: 1 }],
  [{ ...TOPOLOGY, bridges: {} }],
  [{ ...TOPOLOGY, bridges: [{ name: 'br-int' }] }],
  [{ ...TOPOLOGY, bridges: [{ name: 'br-int', ports: [{ name: 'tap1', interfaces: [{ name: 'tap1' }] }] }] }],
])('is not taken for one: %j', (answer) => {
  expect(readTopology(answer)).toBeUndefined();
});

const STATUS: OVSNodeStatus = {
  bridges: [{ name: 'br-int', ports: 3, flows: 10, status: 'Active' }],
  interfaces: { physical: [{ name: 'eno1', status: 'Up' }], bonds: [{ name: 'bond0', activeMembers: 2 }] },
  metrics: { drops: 1 },
};

it.each([
  [
    'counters',
    { ...STATUS, metrics: { drops: 2 }, bridges: [{ name: 'br-int', ports: 3, flows: 11, status: 'Active' }] },
    true,
  ],
  ['a new port', { ...STATUS, bridges: [{ name: 'br-int', ports: 4, flows: 10, status: 'Active' }] }, false],
  ['a link', { ...STATUS, interfaces: { ...STATUS.interfaces, physical: [{ name: 'eno1', status: 'Down' }] } }, false],
  ['a bond', { ...STATUS, interfaces: { ...STATUS.interfaces, bonds: [{ name: 'bond0', activeMembers: 1 }] } }, false],
  [
    'an issue',
    { ...STATUS, issues: [{ severity: 'Warning', message: 'm', reason: 'LinkDown', subject: 'tap1' }] },
    false,
  ],
])('is read again or not after %s', (_what, changed, isSame) => {
  expect(topologyRevision(changed) === topologyRevision(STATUS)).toBe(isSame);
});
