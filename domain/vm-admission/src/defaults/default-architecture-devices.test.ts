import { describe, expect, it } from 'vitest';

import type { VirtualMachineInstance, VirtualMachineInstanceSpec } from '@smalt/vm-api';

import type { ClusterSettings } from '../cluster-settings.ts';
import { devices, domain, instance, settings, spec } from '../fixtures/small-instance.ts';
import { defaultInstance } from './default-instance.ts';
import type { DefaultingContext } from './default-step.ts';

const UUID = '6a1a24a1-4061-4607-8bf4-a3963d0c5895';
const NOW = '2026-08-22T10:34:54Z';

describe('the steps that depend on architecture and cluster', () => {
  it.each([
    { architecture: 'amd64', bus: 'sata', watchdog: { i6300esb: { action: 'reset' } } },
    { architecture: 's390x', bus: 'virtio', watchdog: { diag288: { action: 'reset' } } },
    { architecture: 'arm64', bus: 'virtio', watchdog: {} },
  ])('devices of $architecture', ({ architecture, bus, watchdog }) => {
    const parts = { ...devices({ disks: [{ name: 'a' }], watchdog: { name: 'dog' } }), architecture };

    expect(fill(parts).spec.domain.devices).toMatchObject({
      disks: [{ disk: { bus } }],
      watchdog: { name: 'dog', ...watchdog },
    });
  });

  it('puts disks on the bus that a driver has', () => {
    const parts = { ...devices({ disks: [{ name: 'a' }] }), hypervisor: 'cloud-hypervisor' };

    expect(fill(parts).spec.domain.devices.disks).toEqual([{ name: 'a', disk: { bus: 'virtio' } }]);
    expect(fill({ ...parts, hypervisor: 'constructor' }).spec.domain.devices.disks).toEqual([
      { name: 'a', disk: { bus: 'sata' } },
    ]);
  });

  it('starts guests of arm64 by EFI, with the processor of the host', () => {
    const { firmware, cpu } = fill(spec({ architecture: 'arm64' })).spec.domain;

    expect(firmware).toEqual({ uuid: UUID, bootloader: { efi: { secureBoot: false } } });
    expect(cpu?.model).toBe('host-passthrough');
    expect(cpu?.maxSockets).toBeUndefined();
  });

  it('takes the processor model from the cluster', () => {
    expect(fill(spec(), { cpuModel: 'Haswell' }).spec.domain.cpu?.model).toBe('Haswell');
  });

  it.each([
    { title: 'four times its sockets', cpu: { sockets: 3, cores: 2, threads: 1 }, liveUpdate: {}, maxSockets: 12 },
    {
      title: 'no more than 512 processors',
      cpu: { sockets: 10, cores: 10, threads: 2 },
      liveUpdate: {},
      maxSockets: 25,
    },
    { title: 'at least what it has', cpu: { sockets: 300, cores: 2, threads: 1 }, liveUpdate: {}, maxSockets: 300 },
    {
      title: 'what the cluster says',
      cpu: { sockets: 3, cores: 1, threads: 1 },
      liveUpdate: { maxCpuSockets: 8 },
      maxSockets: 8,
    },
    {
      title: 'at least what it has, whatever the cluster says',
      cpu: { sockets: 9, cores: 1, threads: 1 },
      liveUpdate: { maxCpuSockets: 8 },
      maxSockets: 9,
    },
    { title: 'nothing without sockets', cpu: { cores: 2 }, liveUpdate: {}, maxSockets: undefined },
  ])('a guest can grow to $title', ({ cpu, liveUpdate, maxSockets }) => {
    const given = { liveUpdate: { maxHotplugRatio: 4, ...liveUpdate } };

    expect(fill(domain({ cpu }), given).spec.domain.cpu?.maxSockets).toBe(maxSockets);
  });

  it.each([
    { title: 'four times its size', memory: { guest: '1Gi' }, given: {}, maxGuest: '4Gi' },
    { title: 'four times what decimal sizes are', memory: { guest: '2097152k' }, given: {}, maxGuest: '8000Mi' },
    {
      title: 'what the cluster says',
      memory: { guest: '1Gi' },
      given: { liveUpdate: { maxHotplugRatio: 4, maxGuest: '2Gi' } },
      maxGuest: '2Gi',
    },
    { title: 'nothing when it is small', memory: { guest: '512Mi' }, given: {}, maxGuest: undefined },
    {
      title: 'nothing when it is staged',
      memory: { guest: '1Gi' },
      given: { rolloutStrategy: 'Stage' } as const,
      maxGuest: undefined,
    },
  ])('memory can grow to $title', ({ memory, given, maxGuest }) => {
    expect(fill(domain({ memory }), given).spec.domain.memory?.maxGuest).toBe(maxGuest);
  });

  it('tells other parts what they need in annotations', () => {
    const even = { completesToEvenParity: true, featureGates: ['AlignCPUs'] };

    expect(annotationsOf(domain({ cpu: { isolateEmulatorThread: true } }), even)).toContain(
      'alpha.kubevirt.io/EmulatorThreadCompleteToEvenParity',
    );
    expect(annotationsOf(spec(), even)).toEqual(['kubevirt.io/pci-topology-version', 'smalt.dev/mac-seed']);
    expect(annotationsOf(domain({ launchSecurity: { tdx: {} } }))).toContain('kubevirt.io/qgs-socket-path');
  });

  it('keeps a PCI topology that is said', () => {
    const given = instance(spec(), {
      metadata: { name: 'small', annotations: { 'kubevirt.io/pci-topology-version': 'v2' } },
    });

    expect(defaultInstance(given, defaulting()).metadata.annotations).toMatchObject({
      'kubevirt.io/pci-topology-version': 'v2',
    });
  });

  it('runs guests as root only where the cluster wants it', () => {
    expect(fill(spec(), { featureGates: ['Root'] }).status?.runtimeUser).toBeUndefined();
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

function annotationsOf(parts: VirtualMachineInstanceSpec, given: Partial<ClusterSettings> = {}): readonly string[] {
  return Object.keys(fill(parts, given).metadata.annotations ?? {});
}
