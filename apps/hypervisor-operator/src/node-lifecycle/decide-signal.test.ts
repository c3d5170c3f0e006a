import { describe, expect, it } from 'vitest';

import { testHypervisor, testNode, type HypervisorParts, type NodeParts } from '../fixtures/fleet-objects.ts';
import { decideSignal, needsSignal } from './decide-signal.ts';

const SUCCEEDED = ['Onboarding', 'False', 'Succeeded'] as const;
const ABORTED = ['Onboarding', 'False', 'Aborted'] as const;
const OFFBOARDED = ['Offboarded', 'True', 'Offboarded'] as const;

describe('decideSignal', () => {
  it.each<{ what: string; is: HypervisorParts; node?: NodeParts; isHeld: boolean; isOnboarded: boolean }>([
    { what: 'a fresh host', is: {}, isHeld: true, isOnboarded: false },
    {
      what: 'a host that is being tested',
      is: { conditions: [['Onboarding', 'True', 'Testing']] },
      isHeld: true,
      isOnboarded: false,
    },
    { what: 'an onboarded host', is: { conditions: [SUCCEEDED] }, isHeld: true, isOnboarded: true },
    { what: 'a host whose onboarding was aborted', is: { conditions: [ABORTED] }, isHeld: true, isOnboarded: true },
    {
      what: 'a terminating host that is not offboarded yet',
      is: { conditions: [SUCCEEDED, ['Offboarded', 'False', 'Offboarding'], ['HaEnabled', 'False', 'Evicted']] },
      node: { terminating: 'True' },
      isHeld: true,
      isOnboarded: true,
    },
    {
      what: 'an offboarded host that does not terminate',
      is: { conditions: [SUCCEEDED, OFFBOARDED] },
      isHeld: false,
      isOnboarded: true,
    },
    {
      what: 'an offboarded host that was never onboarded',
      is: { conditions: [OFFBOARDED] },
      node: { terminating: 'True' },
      isHeld: false,
      isOnboarded: false,
    },
    {
      what: 'an offboarded, terminating host that is still watched',
      is: { conditions: [SUCCEEDED, OFFBOARDED, ['HaEnabled', 'True', 'Succeeded']] },
      node: { terminating: 'True' },
      isHeld: true,
      isOnboarded: true,
    },
    {
      what: 'an offboarded, deleted host that is still watched',
      is: { conditions: [SUCCEEDED, OFFBOARDED, ['HaEnabled', 'True', 'Succeeded']] },
      node: { deletionTimestamp: '2026-03-01T12:00:00Z' },
      isHeld: true,
      isOnboarded: true,
    },
    {
      what: 'an offboarded, watched host whose termination was called off',
      is: { conditions: [SUCCEEDED, OFFBOARDED, ['HaEnabled', 'True', 'Succeeded']] },
      node: { terminating: 'False' },
      isHeld: false,
      isOnboarded: true,
    },
    {
      what: 'an offboarded, terminating host of which nobody knows whether it is watched',
      is: { conditions: [SUCCEEDED, OFFBOARDED, ['HaEnabled', 'Unknown', 'Failed']] },
      node: { terminating: 'True' },
      isHeld: true,
      isOnboarded: true,
    },
    {
      what: 'an offboarded, terminating host that is not watched any more',
      is: { conditions: [SUCCEEDED, OFFBOARDED, ['HaEnabled', 'False', 'Evicted']] },
      node: { terminating: 'True' },
      isHeld: false,
      isOnboarded: true,
    },
    {
      what: 'an offboarded, terminating host before a word about it',
      is: { conditions: [SUCCEEDED, OFFBOARDED] },
      node: { terminating: 'True' },
      isHeld: true,
      isOnboarded: true,
    },
    {
      what: 'an offboarded, terminating host that nobody was to watch',
      is: { spec: { highAvailability: false }, conditions: [SUCCEEDED, OFFBOARDED] },
      node: { terminating: 'True' },
      isHeld: false,
      isOnboarded: true,
    },
    {
      what: 'an offboarded, terminating host that was never in use',
      is: { conditions: [ABORTED, OFFBOARDED] },
      node: { terminating: 'True' },
      isHeld: false,
      isOnboarded: true,
    },
  ])('holds $what: $isHeld', ({ is, node, isHeld, isOnboarded }) => {
    expect(decideSignal(testNode('n1', node), testHypervisor('n1', is))).toEqual({ isHeld, isOnboarded });
  });
});

describe('needsSignal', () => {
  it.each([
    { when: 'auto', label: 'worker.gardener.cloud/pool', needs: true },
    { when: 'auto', label: 'worker.garden.sapcloud.io/group', needs: true },
    { when: 'auto', label: 'kubernetes.io/hostname', needs: false },
    { when: 'always', label: 'kubernetes.io/hostname', needs: true },
    { when: 'never', label: 'worker.gardener.cloud/pool', needs: false },
  ] as const)('of a node with $label when $when: $needs', ({ when, label, needs }) => {
    expect(needsSignal(testNode('n1', { labels: { [label]: 'x' } }), { when })).toBe(needs);
  });
});
