import { hypervisors } from '@smalt/hypervisors';
import { DEFAULT_CLUSTER_SETTINGS } from '@smalt/vm-admission';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { driverRefusals, settingsOfDriver, withDriverDevices } from './driver-rules.ts';

describe('settingsOfDriver', () => {
  it.each(hypervisors)('has what $name wants to be filled in', ({ name, defaults }) => {
    const settings = settingsOfDriver({ ...DEFAULT_CLUSTER_SETTINGS, diskBusByHypervisor: {} }, specOf(name));

    expect(settings.diskBusByHypervisor[name]).toBe(defaults.diskBus);
    expect(settings.cpuModel).toBe(defaults.cpuModel);
    expect(settings.rolloutStrategy).toBe(defaults.supportsHotplug ? 'LiveUpdate' : 'Stage');
  });

  it('leaves what was set for a driver by hand', () => {
    const byHand = { ...DEFAULT_CLUSTER_SETTINGS, diskBusByHypervisor: { 'cloud-hypervisor': 'scsi' } };

    expect(settingsOfDriver(byHand, specOf('cloud-hypervisor')).diskBusByHypervisor).toEqual({
      'cloud-hypervisor': 'scsi',
    });
  });

  it('goes by the driver of the cluster where none is named, and leaves drivers alone that do not exist', () => {
    const settings = { ...DEFAULT_CLUSTER_SETTINGS, defaultHypervisor: 'test' };

    expect(settingsOfDriver(settings, specOf('')).rolloutStrategy).toBe('Stage');
    expect(settingsOfDriver(settings, specOf('bhyve'))).toBe(settings);
  });
});

describe('withDriverDevices', () => {
  it.each([
    { hypervisor: 'lxc', said: undefined, display: false },
    { hypervisor: 'lxc', said: true, display: true },
    { hypervisor: 'qemu', said: undefined, display: undefined },
    { hypervisor: 'bhyve', said: undefined, display: undefined },
  ])('makes the display of $hypervisor $display where $said is said', ({ hypervisor, said, display }) => {
    const instance = instanceOf(hypervisor, said);

    const { spec } = withDriverDevices(instance, DEFAULT_CLUSTER_SETTINGS);

    expect(spec.domain.devices.autoattachGraphicsDevice).toBe(display);
  });
});

describe('driverRefusals', () => {
  it('names the field below the path that it is given, and knows no driver that does not exist', () => {
    const spec = { domain: { devices: { tpm: {} } } };

    const refusals = driverRefusals('lxc', { spec }, 'spec.template.spec');

    expect(refusals?.map(({ field }) => field)).toEqual(['spec.template.spec.domain.devices.tpm']);
    expect(driverRefusals('bhyve', { spec }, 'spec')).toBeUndefined();
  });

  it('has nothing against processors and devices of its own where there is a machine', () => {
    const devices = { gpus: [{ name: 'g', deviceName: 'x/y' }], interfaces: [{ name: 'a', sriov: {} }] };
    const spec = { domain: { devices, cpu: { dedicatedCpuPlacement: true, isolateEmulatorThread: true } } };

    expect(['qemu-kvm', 'qemu'].flatMap((name) => driverRefusals(name, { spec }, 'spec'))).toEqual([]);
    expect((driverRefusals('lxc', { spec }, 'spec') ?? []).map(({ field }) => field)).toContain(
      'spec.domain.devices.gpus',
    );
  });

  it('has nothing against what is switched off', () => {
    const off = { dedicatedCpuPlacement: false };
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'c', hotpluggable: false } }];
    const spec = { ...specOf('qemu'), domain: { devices: { gpus: [] }, cpu: off }, volumes };

    expect(driverRefusals('qemu', { spec }, 'spec')).toEqual([]);
  });
});

function specOf(hypervisor: string): VirtualMachineInstance['spec'] {
  return { hypervisor, domain: { devices: {} } };
}

function instanceOf(hypervisor: string, said: boolean | undefined): VirtualMachineInstance {
  const devices = said === undefined ? {} : { autoattachGraphicsDevice: said };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'x' },
    spec: { hypervisor, domain: { devices } },
  };
}
