import { describe, expect, it } from 'vitest';

import type { VirtualMachineInstance, VirtualMachineInstanceSpec } from '@smalt/vm-api';

import type { ClusterSettings } from '../cluster-settings.ts';
import { context, devices, domain, instance, settings, spec } from '../fixtures/small-instance.ts';
import { validateInstance } from '../validation/validate-instance.ts';
import { defaultInstance } from './default-instance.ts';
import type { DefaultingContext } from './default-step.ts';

const UUID = '6a1a24a1-4061-4607-8bf4-a3963d0c5895';
const NOW = '2026-08-22T10:34:54Z';

describe('the steps that switch things on', () => {
  it('switches ACPI off on s390x alone', () => {
    expect(fill(spec({ architecture: 's390x' })).spec.domain.features).toEqual({ acpi: { enabled: false } });
    expect(fill(spec({ architecture: 'arm64' })).spec.domain.features).toEqual({ acpi: { enabled: true } });
  });

  it('switches on what is only mentioned', () => {
    const on = { enabled: true };
    const filled = fill(
      domain({
        clock: { timer: { hpet: { present: false }, hyperv: {}, kvm: {}, pit: { tickPolicy: 'delay' }, rtc: {} } },
        features: {
          apic: {},
          smm: {},
          pvspinlock: { enabled: false },
          hyperv: {
            relaxed: {},
            spinlocks: {},
            vendorid: { vendorid: 'x' },
            tlbflush: { direct: {} },
            synictimer: { direct: {} },
          },
        },
      }),
    );

    expect(filled.spec.domain).toMatchObject({
      clock: {
        timer: {
          hpet: { present: false },
          hyperv: { present: true },
          kvm: { present: true },
          pit: { present: true, tickPolicy: 'delay' },
          rtc: { present: true },
        },
      },
      features: {
        acpi: on,
        apic: on,
        smm: on,
        pvspinlock: { enabled: false },
        hyperv: {
          relaxed: on,
          spinlocks: { enabled: true, spinlocks: 4096 },
          vendorid: { enabled: true, vendorid: 'x' },
          tlbflush: { enabled: true, direct: on },
          synictimer: { enabled: true, direct: on },
          synic: on,
          vpindex: on,
        },
      },
    });
  });

  it('gives spinlocks that are off no number', () => {
    const { features } = fill(domain({ features: { hyperv: { spinlocks: { enabled: false } } } })).spec.domain;

    expect(features?.hyperv?.spinlocks).toEqual({ enabled: false });
  });

  it('closes CD-ROMs, fits blocks to the volume, and shows the first screen', () => {
    const filled = fill(
      devices({
        disks: [
          { name: 'a', cdrom: {} },
          { name: 'b', lun: {}, blockSize: { matchVolume: {} } },
        ],
        gpus: [{ name: 'c', deviceName: 'd', virtualGPUOptions: { display: { ramFB: {} } } }],
        inputs: [{ name: 'e', type: '' }],
      }),
    );

    expect(filled.spec.domain.devices).toMatchObject({
      disks: [
        { name: 'a', cdrom: { bus: 'sata', readonly: true, tray: 'closed' } },
        { name: 'b', lun: { bus: 'sata' }, blockSize: { matchVolume: { enabled: true } } },
      ],
      gpus: [{ virtualGPUOptions: { display: { ramFB: { enabled: true } } } }],
      inputs: [{ name: 'e', bus: 'usb', type: 'tablet' }],
    });
  });

  it('probes every ten seconds and counts three failures', () => {
    const probe = fill(spec({ readinessProbe: { guestAgentPing: {}, timeoutSeconds: -1, periodSeconds: 5 } })).spec;

    expect(probe.readinessProbe).toEqual({
      guestAgentPing: {},
      timeoutSeconds: 1,
      periodSeconds: 5,
      successThreshold: 1,
      failureThreshold: 3,
    });
  });

  it('requires nested virtualization for nested Hyper-V', () => {
    const hyperv = { evmcs: {} };
    const cpuFeatures = (parts: Parameters<typeof domain>[0]) => fill(domain(parts)).spec.domain.cpu?.features;

    expect(fill(domain({ features: { hyperv } })).spec.domain.features?.hyperv?.vapic).toEqual({ enabled: true });
    expect(cpuFeatures({ features: { hyperv } })).toEqual([{ name: 'vmx', policy: 'require' }]);
    expect(cpuFeatures({ features: { hyperv }, cpu: { features: [{ name: 'vmx', policy: 'optional' }] } })).toEqual([
      { name: 'vmx', policy: 'require' },
    ]);
    expect(cpuFeatures({ features: { hyperv }, cpu: { features: [{ name: 'aes' }] } })).toEqual([
      { name: 'aes' },
      { name: 'vmx', policy: 'require' },
    ]);
  });

  it('leaves what was switched off by hand for validation to refuse', () => {
    const filled = fill(domain({ features: { hyperv: { synic: {}, vpindex: { enabled: false } } } }));

    expect(filled.spec.domain.features?.hyperv?.vpindex).toEqual({ enabled: false });
    expect(validateInstance(filled, context()).map(({ field }) => field)).toEqual([
      'spec.domain.features.hyperv.synic',
    ]);
  });
});

function defaulting(parts: Partial<ClusterSettings> = {}): DefaultingContext {
  return { settings: settings(parts), now: () => new Date(NOW), randomUuid: () => UUID };
}

function fill(parts: VirtualMachineInstanceSpec, given: Partial<ClusterSettings> = {}): VirtualMachineInstance {
  return defaultInstance(deepFreeze(instance(parts)), defaulting(given));
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
