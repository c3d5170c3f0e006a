import type { VirtualMachine } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { preferEarly } from './prefer-early.ts';

const PREFERENCE = {
  preferredArchitecture: 'arm64',
  machine: { preferredMachineType: 'virt-9.2' },
  volumes: { preferredStorageClassName: 'fast' },
};

it('fixes architecture, machine type and storage classes, and leaves the rest to the start', () => {
  const machine = machineOf({}, [
    { metadata: { name: 'a' }, spec: { pvc: {} } },
    { metadata: { name: 'b' }, spec: { storage: { storageClassName: 'slow' } } },
  ]);

  const { spec } = preferEarly(machine, { ...PREFERENCE, preferredSubdomain: 'later' });

  expect(spec.template.spec).toEqual({ architecture: 'arm64', domain: { devices: {}, machine: { type: 'virt-9.2' } } });
  expect(spec.dataVolumeTemplates).toMatchObject([
    { spec: { pvc: { storageClassName: 'fast' } } },
    { spec: { storage: { storageClassName: 'slow' } } },
  ]);
});

it('changes nothing that the machine says', () => {
  const machine = machineOf({ architecture: 'amd64', domain: { devices: {}, machine: { type: 'q35' } } });

  expect(preferEarly(machine, PREFERENCE)).toEqual(machine);
});

function machineOf(
  spec: Partial<NonNullable<VirtualMachine['spec']['template']['spec']>>,
  dataVolumeTemplates: NonNullable<VirtualMachine['spec']['dataVolumeTemplates']> = [],
): VirtualMachine {
  const template = { spec: { domain: { devices: {} }, ...spec } };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'vm' },
    spec: { template, dataVolumeTemplates },
  };
}
