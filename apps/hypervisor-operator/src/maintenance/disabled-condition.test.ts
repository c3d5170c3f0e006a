import type { ComputeHost } from '@smalt/compute';
import { describe, expect, it } from 'vitest';

import { testHypervisor } from '../fixtures/fleet-objects.ts';
import type { ServiceStep, WantedService } from './decide-compute-service.ts';
import { disabledCondition, failedCondition, isStated, ownCondition } from './disabled-condition.ts';

const enabled: WantedService = { kind: 'enabled' };
const disabled: WantedService = { kind: 'disabled', reason: 'x' };

describe('disabledCondition', () => {
  it.each<{ wanted: WantedService; step: ServiceStep; words: readonly string[] }>([
    { wanted: enabled, step: { kind: 'none' }, words: ['False', 'Succeeded', 'Hypervisor is enabled'] },
    { wanted: disabled, step: { kind: 'none' }, words: ['True', 'Succeeded', 'Hypervisor is disabled'] },
    {
      wanted: enabled,
      step: { kind: 'respect', foreignReason: 'broken fan' },
      words: ['True', 'DisabledElsewhere', 'Hypervisor was disabled elsewhere: broken fan'],
    },
    {
      wanted: enabled,
      step: { kind: 'respect', foreignReason: '' },
      words: ['True', 'DisabledElsewhere', 'Hypervisor was disabled elsewhere: no reason was given'],
    },
    {
      wanted: disabled,
      step: { kind: 'unregistered' },
      words: ['True', 'NotRegistered', 'Hypervisor is not registered at the compute system under its stored ids'],
    },
    {
      wanted: enabled,
      step: { kind: 'unregistered' },
      words: ['Unknown', 'NotRegistered', 'Hypervisor is not registered at the compute system under its stored ids'],
    },
    {
      wanted: enabled,
      step: { kind: 'respect-forced-down', hostName: 'n1' },
      words: [
        'True',
        'DisabledElsewhere',
        'Hypervisor was forced down elsewhere and stays so; when it is sound: `openstack compute service set --up n1 nova-compute`',
      ],
    },
    {
      wanted: disabled,
      step: { kind: 'registered-anew', host: { name: 'n1', hypervisorId: 'h2', serviceId: 's2' } as ComputeHost },
      words: [
        'Unknown',
        'NotRegistered',
        'host n1 is registered anew as hypervisor h2 with service s2, and not under its stored ids',
      ],
    },
    {
      wanted: disabled,
      step: { kind: 'claimed', hostName: 'n1.dc', rival: 'n1.dc' },
      words: ['Unknown', 'Failed', 'host n1.dc belongs to Hypervisor n1.dc: nothing is done to it'],
    },
  ])('says $words.0 for $wanted.kind after the step $step.kind', ({ wanted, step, words }) => {
    const { type, status, reason, message } = disabledCondition(wanted, step);

    expect([type, status, reason, message]).toEqual(['HypervisorDisabled', ...words]);
  });
});

describe('failedCondition', () => {
  it.each([
    { what: 'nothing is known', conditions: [], host: undefined, wanted: disabled, status: 'Unknown' },
    {
      what: 'it was enabled',
      conditions: [['HypervisorDisabled', 'False', 'Succeeded']],
      host: undefined,
      wanted: disabled,
      status: 'False',
    },
    { what: 'it is seen to be enabled', conditions: [], host: { isEnabled: true }, wanted: disabled, status: 'False' },
    { what: 'it is seen to be disabled', conditions: [], host: { isEnabled: false }, wanted: enabled, status: 'True' },
  ] as const)('is $status when $what', ({ conditions, host, wanted, status }) => {
    const hypervisor = testHypervisor('n1', { conditions });

    const condition = failedCondition(hypervisor, wanted, host as ComputeHost | undefined, 'Nova is away');

    expect(condition).toEqual({
      type: 'HypervisorDisabled',
      status,
      reason: 'Failed',
      message: `failed to ${wanted === enabled ? 'enable' : 'disable'} hypervisor: Nova is away`,
      isWarning: true,
    });
  });

  it('says what it said when only a look at what was done before has failed', () => {
    const { type, status, reason, message } = disabledCondition(disabled, { kind: 'none' });
    const stated = { type, status, reason, message, lastTransitionTime: '2026-03-01T12:00:00Z' };
    const bare = testHypervisor('n1');
    const hypervisor = { ...bare, status: { numInstances: 0, conditions: [stated] } };

    expect(isStated(hypervisor, disabled)).toBe(true);
    expect(isStated(hypervisor, enabled)).toBe(false);
    expect(isStated(bare, enabled)).toBe(false);
    expect(failedCondition(hypervisor, disabled, undefined, 'Nova is away')).toEqual(ownCondition(hypervisor));
  });
});
