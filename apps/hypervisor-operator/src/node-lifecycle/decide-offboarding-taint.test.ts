import { expect, it } from 'vitest';

import type { Taint } from '../nodes/cluster-node.ts';
import { testHypervisor, testNode, type HypervisorParts } from '../fixtures/fleet-objects.ts';
import { decideOffboardingTaint } from './decide-offboarding-taint.ts';

const OURS: Taint = { key: 'kvm.cloud.sap/offboarding', effect: 'NoExecute' };
const OTHER: Taint = { key: 'example.com/other', value: 'x', effect: 'NoSchedule' };
const TERMINATION = { maintenance: 'termination' } as const;
const EVICTED = ['Evicting', 'False', 'Succeeded'] as const;
const OFFBOARDED = ['Offboarded', 'True', 'Offboarded'] as const;

it.each<{ what: string; is: HypervisorParts; has: readonly Taint[]; shouldHave: readonly Taint[] | undefined }>([
  { what: 'a host in use', is: { conditions: [EVICTED] }, has: [OTHER], shouldHave: undefined },
  { what: 'a host not yet evicted', is: { spec: TERMINATION }, has: [], shouldHave: undefined },
  {
    what: 'a host that is being emptied',
    is: { spec: TERMINATION, conditions: [['Evicting', 'True', 'Running']] },
    has: [],
    shouldHave: undefined,
  },
  {
    what: 'a host whose eviction failed',
    is: { spec: TERMINATION, conditions: [['Evicting', 'False', 'Failed']] },
    has: [OTHER],
    shouldHave: undefined,
  },
  { what: 'an empty host', is: { spec: TERMINATION, conditions: [EVICTED] }, has: [OTHER], shouldHave: [OTHER, OURS] },
  {
    what: 'an empty host that has it',
    is: { spec: TERMINATION, conditions: [EVICTED] },
    has: [OURS],
    shouldHave: undefined,
  },
  {
    what: 'an empty host with the key under another effect',
    is: { spec: TERMINATION, conditions: [EVICTED] },
    has: [{ ...OURS, effect: 'NoSchedule' }],
    shouldHave: [{ ...OURS, effect: 'NoSchedule' }, OURS],
  },
  {
    what: 'an empty host in manual maintenance',
    is: { spec: { maintenance: 'manual' }, conditions: [EVICTED] },
    has: [],
    shouldHave: undefined,
  },
  {
    what: 'a host without a lifecycle',
    is: { spec: { ...TERMINATION, lifecycleEnabled: false }, conditions: [EVICTED] },
    has: [],
    shouldHave: undefined,
  },
  {
    what: 'a host that was taken back',
    is: { spec: { maintenance: 'ha' }, conditions: [EVICTED] },
    has: [OURS, OTHER],
    shouldHave: [OTHER],
  },
  { what: 'a host that is in use again', is: {}, has: [OURS], shouldHave: [] },
  {
    what: 'a host that has instances again',
    is: { spec: TERMINATION, conditions: [['Evicting', 'True', 'Running']] },
    has: [OURS],
    shouldHave: [],
  },
  {
    what: 'a host that is offboarded, whatever is said about its eviction',
    is: { spec: TERMINATION, conditions: [OFFBOARDED] },
    has: [OURS],
    shouldHave: undefined,
  },
])('gives $what the right taints', ({ is, has, shouldHave }) => {
  expect(decideOffboardingTaint(testNode('n1', { taints: has }), testHypervisor('n1', is))).toEqual(shouldHave);
});

it('leaves the taints of others as they are, to the last field', () => {
  const timed = { ...OTHER, effect: 'NoExecute', timeAdded: '2026-03-01T12:00:00Z' } as const;

  const taints = decideOffboardingTaint(testNode('n1', { taints: [timed, OURS] }), testHypervisor('n1'));

  expect(taints).toEqual([timed]);
});
