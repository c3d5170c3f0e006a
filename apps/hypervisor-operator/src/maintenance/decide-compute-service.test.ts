import type { ComputeHost } from '@smalt/compute';
import type { Eviction, MaintenanceMode } from '@smalt/fleet-api';
import { describe, expect, it } from 'vitest';

import { testHypervisor, type HypervisorParts } from '../fixtures/fleet-objects.ts';
import { testEviction } from '../fixtures/test-eviction.ts';
import {
  decideServiceStep,
  isBeforeMaintenance,
  isLeavingMaintenance,
  wantedService,
} from './decide-compute-service.ts';
import { hypervisorEvictions } from './hypervisor-evictions.ts';

const ids = { hypervisorId: 'h', serviceId: 's' };

describe('isBeforeMaintenance', () => {
  it.each<{ what: string; parts: HypervisorParts; is: boolean }>([
    { what: 'is onboarded', parts: { conditions: [['Onboarding', 'True', 'Initial']] }, is: true },
    { what: 'hands over', parts: { conditions: [['Onboarding', 'True', 'Handover']] }, is: true },
    { what: 'was onboarded', parts: { conditions: [['Onboarding', 'False', 'Succeeded']] }, is: false },
    { what: 'was not wanted', parts: { conditions: [['Onboarding', 'False', 'Aborted']] }, is: false },
    { what: 'has its ids, but is not onboarded yet', parts: { status: ids }, is: true },
    { what: 'is in manual maintenance before it is onboarded', parts: { spec: { maintenance: 'manual' } }, is: true },
    { what: 'is terminated before it is onboarded', parts: { spec: { maintenance: 'termination' } }, is: false },
    { what: 'is not looked after', parts: { spec: { lifecycleEnabled: false }, status: ids }, is: false },
  ])('is $is for a host that $what', ({ parts, is }) => {
    expect(isBeforeMaintenance(testHypervisor('n1', parts))).toBe(is);
  });

  it('waits for the onboarding of a host that is terminated to be aborted', () => {
    const parts = { spec: { maintenance: 'termination' }, conditions: [['Onboarding', 'True', 'Testing']] } as const;

    expect(isBeforeMaintenance(testHypervisor('n1', parts))).toBe(true);
  });
});

describe('wantedService', () => {
  const foreign = testEviction('reboot', { hypervisor: 'n1', reason: 'kernel update' });

  it.each<{ maintenance: MaintenanceMode; evictions: readonly Eviction[]; wanted: object }>([
    { maintenance: '', evictions: [], wanted: { kind: 'enabled' } },
    { maintenance: '', evictions: [foreign], wanted: { kind: 'disabled', reason: 'Eviction: kernel update' } },
    { maintenance: 'ha', evictions: [foreign], wanted: { kind: 'left' } },
    ...(['manual', 'auto', 'termination'] as const).map((maintenance) => ({
      maintenance,
      evictions: [foreign],
      wanted: { kind: 'disabled', reason: `Hypervisor CRD: spec.maintenance=${maintenance}` },
    })),
  ])(
    'is $wanted.kind for "$maintenance" and $evictions.length foreign evictions',
    ({ maintenance, evictions, wanted }) => {
      const hypervisor = testHypervisor('n1', { spec: { maintenance } });

      expect(wantedService(hypervisor, hypervisorEvictions(hypervisor, undefined, evictions))).toEqual(wanted);
    },
  );

  it('is enabled again while our own eviction is only on its way out', () => {
    const hypervisor = testHypervisor('n1');
    const own = testEviction('n1', {
      hypervisor: 'n1',
      metadata: { deletionTimestamp: '2026-03-01T12:00:00Z', ownerReferences: [controllerOf('n1')] },
    });

    expect(wantedService(hypervisor, hypervisorEvictions(hypervisor, own, [own]))).toEqual({ kind: 'enabled' });
  });

  it.each<{ what: string; parts: HypervisorParts; evictions: readonly Eviction[]; kind: string }>([
    { what: 'is to be used', parts: {}, evictions: [], kind: 'left' },
    { what: 'is to be evicted', parts: {}, evictions: [foreign], kind: 'disabled' },
    { what: 'is in maintenance', parts: { spec: { maintenance: 'manual' } }, evictions: [], kind: 'disabled' },
    { what: 'is looked after no longer', parts: { spec: { lifecycleEnabled: false } }, evictions: [], kind: 'left' },
  ])('is $kind for a host that failed its tests and $what', ({ parts, evictions, kind }) => {
    const status = { smokeTest: { failures: 5 } };
    const hypervisor = testHypervisor('n1', { ...parts, status, conditions: [['Onboarding', 'False', 'Aborted']] });

    expect(wantedService(hypervisor, hypervisorEvictions(hypervisor, undefined, evictions))).toMatchObject({ kind });
  });

  it('does not go by tests that nobody is to make any more', () => {
    const spec = { lifecycleEnabled: false };
    const hypervisor = testHypervisor('n1', { spec, conditions: [['Onboarding', 'False', 'Aborted']] });

    expect(wantedService(hypervisor, hypervisorEvictions(hypervisor, undefined, []))).toEqual({ kind: 'enabled' });
  });

  it('has a reason that the compute system can keep', () => {
    const hypervisor = testHypervisor('n1');
    const burning = testEviction('x', { hypervisor: 'n1', reason: 'fire \u{1f525}\nin rack 7' });

    const wanted = wantedService(hypervisor, hypervisorEvictions(hypervisor, undefined, [burning]));

    expect(wanted).toEqual({ kind: 'disabled', reason: 'Eviction: fire \uFFFD in rack 7' });
  });

  it('cuts a reason to what Nova takes', () => {
    const hypervisor = testHypervisor('n1');
    const wordy = testEviction('x', { hypervisor: 'n1', reason: 'w'.repeat(400) });

    const wanted = wantedService(hypervisor, hypervisorEvictions(hypervisor, undefined, [wordy]));

    expect(wanted).toEqual({ kind: 'disabled', reason: `Eviction: ${'w'.repeat(245)}` });
  });
});

describe('isLeavingMaintenance', () => {
  it.each([
    { disabled: ['True', 'Succeeded'], is: true },
    { disabled: ['True', 'NotRegistered'], is: true },
    { disabled: ['True', 'Failed'], is: true },
    { disabled: ['True', 'DisabledElsewhere'], is: false },
    { disabled: ['False', 'Succeeded'], is: false },
    { disabled: ['Unknown', 'NotRegistered'], is: false },
  ] as const)('is $is where HypervisorDisabled is $disabled', ({ disabled, is }) => {
    const hypervisor = testHypervisor('n1', { conditions: [['HypervisorDisabled', ...disabled]] });

    expect(isLeavingMaintenance(hypervisor)).toBe(is);
    expect(isLeavingMaintenance(testHypervisor('n1'))).toBe(false);
  });
});

describe('decideServiceStep', () => {
  const plain = { respectForeignDisable: false, isLeavingMaintenance: false };
  const byUs = 'Hypervisor CRD: spec.maintenance=manual';
  const enabled = { kind: 'enabled' } as const;
  const disabled = { kind: 'disabled', reason: byUs } as const;

  it.each<{ what: string; wanted: typeof enabled | typeof disabled; host: Partial<ComputeHost>; step: object }>([
    { what: 'enabled', wanted: enabled, host: {}, step: { kind: 'none' } },
    {
      what: 'enabled, but forced down',
      wanted: enabled,
      host: { isForcedDown: true },
      step: { kind: 'respect-forced-down', hostName: 'n1' },
    },
    {
      what: 'disabled by others and forced down',
      wanted: enabled,
      host: { isEnabled: false, disabledReason: 'HA: fenced', isForcedDown: true },
      step: { kind: 'respect-forced-down', hostName: 'n1' },
    },
    {
      what: 'disabled by us and forced down',
      wanted: enabled,
      host: { isEnabled: false, disabledReason: byUs, isForcedDown: true },
      step: { kind: 'enable', foreignReason: undefined },
    },
    {
      what: 'disabled by us',
      wanted: enabled,
      host: { isEnabled: false, disabledReason: byUs },
      step: { kind: 'enable', foreignReason: undefined },
    },
    {
      what: 'disabled by an eviction',
      wanted: enabled,
      host: { isEnabled: false, disabledReason: 'Eviction: x' },
      step: { kind: 'enable', foreignReason: undefined },
    },
    {
      what: 'disabled by others',
      wanted: enabled,
      host: { isEnabled: false, disabledReason: 'AUTO: libvirt is away' },
      step: { kind: 'enable', foreignReason: 'AUTO: libvirt is away' },
    },
    {
      what: 'disabled without a word',
      wanted: enabled,
      host: { isEnabled: false },
      step: { kind: 'enable', foreignReason: '' },
    },
    { what: 'enabled', wanted: disabled, host: {}, step: { kind: 'disable', reason: byUs } },
    {
      what: 'disabled for that reason',
      wanted: disabled,
      host: { isEnabled: false, disabledReason: byUs },
      step: { kind: 'none' },
    },
    {
      what: 'disabled for the mode before',
      wanted: disabled,
      host: { isEnabled: false, disabledReason: 'Hypervisor CRD: spec.maintenance=auto' },
      step: { kind: 'disable', reason: byUs },
    },
    {
      what: 'disabled and fenced',
      wanted: disabled,
      host: { isEnabled: false, disabledReason: byUs, isForcedDown: true },
      step: { kind: 'none' },
    },
  ])('$step.kind where $wanted.kind is wanted and it is $what', ({ wanted, host, step }) => {
    expect(decideServiceStep(wanted, computeHost(host), plain)).toEqual(step);
  });

  it('leaves a host alone that others have disabled, if told so', () => {
    const settings = { ...plain, respectForeignDisable: true };
    const byOthers = computeHost({ isEnabled: false, disabledReason: 'disk is broken' });

    expect(decideServiceStep(enabled, byOthers, settings)).toEqual({
      kind: 'respect',
      foreignReason: 'disk is broken',
    });
    expect(decideServiceStep(enabled, computeHost({ isEnabled: false, disabledReason: byUs }), settings)).toMatchObject(
      {
        kind: 'enable',
      },
    );
  });

  it('takes it back that a host is dead only when its maintenance ends', () => {
    const leaving = { ...plain, isLeavingMaintenance: true };
    const fenced = { isEnabled: false, disabledReason: 'HA: fenced', isForcedDown: true };

    expect(decideServiceStep(enabled, computeHost({ isForcedDown: true }), leaving)).toMatchObject({ kind: 'enable' });
    expect(decideServiceStep(enabled, computeHost(fenced), leaving)).toMatchObject({ kind: 'enable' });
  });

  it('does not believe an old look when maintenance ends', () => {
    const leaving = { ...plain, isLeavingMaintenance: true };

    expect(decideServiceStep(enabled, computeHost({}), leaving)).toEqual({ kind: 'enable', foreignReason: undefined });
  });

  it('has nothing to change on a host that is not registered', () => {
    expect(decideServiceStep(enabled, undefined, plain)).toEqual({ kind: 'unregistered' });
    expect(decideServiceStep(disabled, undefined, plain)).toEqual({ kind: 'unregistered' });
  });
});

function controllerOf(name: string) {
  return { apiVersion: 'kvm.cloud.sap/v1', kind: 'Hypervisor', name, uid: `uid-of-${name}`, controller: true };
}

function computeHost(parts: Partial<ComputeHost>): ComputeHost {
  return {
    ...ids,
    name: 'n1',
    isEnabled: true,
    disabledReason: undefined,
    isForcedDown: false,
    isUp: true,
    zone: undefined,
    ...parts,
  };
}
