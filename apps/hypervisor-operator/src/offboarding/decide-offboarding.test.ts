import { describe, expect, it } from 'vitest';

import { testHypervisor, type HypervisorParts } from '../fixtures/fleet-objects.ts';
import { decideOffboarding, whatBlocksRemoval } from './decide-offboarding.ts';

const BEGUN = 'Hypervisor is being offboarded, removing host from nova';
const EVICTED = ['Evicting', 'False', 'Succeeded'] as const;
const PODS_GONE = ['AgentPodsEvicted', 'True', 'NoAgentPods'] as const;

describe('decideOffboarding', () => {
  it.each<Pick<HypervisorParts, 'conditions' | 'status'> & { what: string; message: string }>([
    { what: 'begins', conditions: [], message: BEGUN },
    {
      what: 'is still being onboarded',
      conditions: [['Onboarding', 'True', 'Testing'], EVICTED, PODS_GONE],
      message: BEGUN,
    },
    { what: 'is being evicted', conditions: [['Evicting', 'True', 'Running'], PODS_GONE], message: BEGUN },
    { what: 'is not being evicted yet', conditions: [PODS_GONE], message: BEGUN },
    {
      what: 'was evicted in an earlier maintenance',
      conditions: [EVICTED, PODS_GONE],
      status: { evicted: false },
      message: BEGUN,
    },
    {
      what: 'could not be evicted',
      conditions: [['Evicting', 'False', 'Failed'], PODS_GONE],
      message: 'Hypervisor is being offboarded, but its eviction failed: Evicting is False',
    },
    {
      what: 'may have agent pods',
      conditions: [EVICTED],
      message: 'Waiting for agent pods (nova-compute, neutron) to be evicted from node',
    },
    {
      what: 'has agent pods',
      conditions: [EVICTED, ['AgentPodsEvicted', 'False', 'AgentPodsRunning']],
      message: 'Waiting for agent pods to be evicted: AgentPodsEvicted is False',
    },
  ])('waits for a host that $what', ({ conditions = [], status = {}, message }) => {
    expect(decideOffboarding(leaving({ conditions, status }))).toMatchObject({
      kind: 'wait',
      condition: { type: 'Offboarded', status: 'False', reason: 'Offboarding', message },
    });
  });

  it('does not go on telling what is the case no longer', () => {
    const conditions = [
      ['Offboarded', 'False', 'Offboarding'],
      ['Evicting', 'True', 'Running'],
    ] as const;

    expect(decideOffboarding(leaving({ conditions }))).toMatchObject({ condition: { message: BEGUN } });
  });

  it.each<{ what: string; parts: HypervisorParts }>([
    { what: 'evicted and without agents', parts: { conditions: [EVICTED, PODS_GONE] } },
    { what: 'never known to the compute system', parts: { status: { serviceId: '' }, conditions: [PODS_GONE] } },
    { what: 'no longer wanted', parts: { conditions: [['Onboarding', 'False', 'Aborted'], EVICTED, PODS_GONE] } },
  ])('removes a host that is $what', ({ parts }) => {
    expect(decideOffboarding(leaving(parts))).toEqual({ kind: 'remove' });
  });

  it('does not remove a host that failed to be evicted, known or not', () => {
    const conditions = [['Evicting', 'False', 'Failed'], PODS_GONE] as const;

    expect(decideOffboarding(leaving({ status: { serviceId: '' }, conditions }))).toMatchObject({ kind: 'wait' });
  });

  it.each<{ what: string; parts: HypervisorParts; kind: string }>([
    { what: 'is in use', parts: { spec: { maintenance: '' } }, kind: 'none' },
    {
      what: 'is in maintenance',
      parts: { spec: { maintenance: 'manual' }, conditions: [EVICTED, PODS_GONE] },
      kind: 'none',
    },
    { what: 'is not looked after', parts: { spec: { lifecycleEnabled: false } }, kind: 'none' },
    { what: 'is out', parts: { conditions: [['Offboarded', 'True', 'Offboarded']] }, kind: 'none' },
    {
      what: 'was taken over after it was out',
      parts: { spec: { maintenance: 'ha' }, conditions: [['Offboarded', 'True', 'Offboarded']] },
      kind: 'take-back',
    },
    {
      what: 'is in use again after it was out',
      parts: { spec: { maintenance: '' }, conditions: [['Offboarded', 'True', 'Offboarded']] },
      kind: 'take-back',
    },
    {
      what: 'is looked after no longer after it was out',
      parts: { spec: { lifecycleEnabled: false }, conditions: [['Offboarded', 'True', 'Offboarded']] },
      kind: 'none',
    },
    {
      what: 'was taken over on its way out',
      parts: { spec: { maintenance: 'ha' }, conditions: [['Offboarded', 'False', 'Offboarding']] },
      kind: 'take-back',
    },
    {
      what: 'is looked after no longer on its way out',
      parts: { spec: { lifecycleEnabled: false }, conditions: [['Offboarded', 'False', 'Offboarding']] },
      kind: 'take-back',
    },
  ])('is $kind for a host that $what', ({ parts, kind }) => {
    expect(decideOffboarding(leaving(parts))).toEqual({ kind });
  });
});

describe('whatBlocksRemoval', () => {
  const inAggregates = {
    status: {
      aggregates: [
        { name: 'a', uuid: '1' },
        { name: 'b', uuid: '2' },
      ],
    },
  };

  it('is first of all what still runs, and says how to find it', () => {
    expect(whatBlocksRemoval(leaving(inAggregates), 'n1', 3)).toBe(
      'Hypervisor is being offboarded, but still has 3 assigned VMs, check with `openstack server list --all-projects --host n1`',
    );
  });

  it('is then what it is still in', () => {
    expect(whatBlocksRemoval(leaving(inAggregates), 'n1', 0)).toBe(
      'Waiting for aggregates to be removed, current: [a b]',
    );
  });

  it('is nothing after that', () => {
    expect(whatBlocksRemoval(leaving({}), 'n1', 0)).toBeUndefined();
  });
});

function leaving({ spec, status, conditions = [] }: HypervisorParts) {
  return testHypervisor('n1', {
    spec: { maintenance: 'termination', ...spec },
    status: { hypervisorId: 'h', serviceId: 's', ...status },
    conditions,
  });
}
