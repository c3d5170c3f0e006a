import { describe, expect, it } from 'vitest';

import { formProblems, missingFields } from './form-problems.ts';
import { machineManifest, NEW_MACHINE } from './machine-form.ts';
import { namespaceOf } from './namespace-of.ts';

describe('the manifest of the form', () => {
  it('boots from an image behind its host', () => {
    const manifest = machineManifest({
      ...NEW_MACHINE,
      name: 'web',
      namespace: 'shop',
      diskName: 'demo',
      hypervisor: 'qemu',
    });

    expect(manifest).toEqual({
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        runStrategy: 'Always',
        template: {
          spec: {
            hypervisor: 'qemu',
            domain: {
              cpu: { cores: 1 },
              memory: { guest: '512Mi' },
              devices: {
                disks: [{ name: 'root', disk: { bus: 'virtio' } }],
                interfaces: [{ name: 'default', masquerade: {} }],
              },
            },
            networks: [{ name: 'default', pod: {} }],
            volumes: [{ name: 'root', containerDisk: { image: 'demo' } }],
          },
        },
      },
    });
  });

  it('has a disk for cloud-init only when there is something on it', () => {
    const form = { ...NEW_MACHINE, disk: 'claim', diskName: 'data' } as const;

    expect(machineManifest({ ...form, userData: '#cloud-config' })).toMatchObject({
      spec: { template: { spec: { volumes: [{ persistentVolumeClaim: { claimName: 'data' } }, { name: 'seed' }] } } },
    });
    expect(JSON.stringify(machineManifest({ ...form, userData: ' \n' }))).not.toContain('seed');
  });

  it('goes without a network when it is told to, and waits to be started', () => {
    const manifest = machineManifest({ ...NEW_MACHINE, network: 'none', disk: 'blank', diskGiB: 3, isStarted: false });

    expect(manifest).toMatchObject({
      spec: {
        runStrategy: 'Halted',
        template: {
          spec: {
            domain: { devices: { autoattachPodInterface: false } },
            volumes: [{ emptyDisk: { capacity: '3Gi' } }],
          },
        },
      },
    });
  });
});

it.each([
  { field: 'metadata.name', at: 'name' },
  { field: 'spec.template.spec.domain.cpu.cores', at: 'cores' },
  { field: 'spec.template.spec.domain.memory.guest', at: 'memoryMiB' },
  { field: 'spec.template.spec.volumes[0].containerDisk.image', at: 'diskName' },
  { field: 'spec.template.spec.volumes[0].emptyDisk.capacity', at: 'diskGiB' },
  { field: 'spec.template.spec.volumes[1].cloudInitNoCloud', at: 'userData' },
  { field: 'spec.template.spec.hypervisor', at: 'hypervisor' },
])('shows what is wrong with $field at $at', ({ field, at }) => {
  expect(formProblems([{ field, message: 'is wrong' }], 'all')).toEqual({ byField: { [at]: 'is wrong' }, other: [] });
});

it.each([
  { form: {}, missing: ['name', 'diskName'] },
  { form: { name: 'web', disk: 'blank' as const }, missing: [] },
  { form: { name: 'web', namespace: '', disk: 'claim' as const }, missing: ['namespace', 'diskName'] },
])('misses $missing of $form', ({ form, missing }) => {
  expect(Object.keys(missingFields({ ...NEW_MACHINE, ...form }).byField)).toEqual(missing);
});

it('shows what no field stands for apart, and the message where there are no causes', () => {
  expect(formProblems([{ field: 'spec.template.spec.x', message: 'odd' }, { message: 'bad' }], 'all').other).toEqual([
    'spec.template.spec.x: odd',
    'bad',
  ]);
  expect(formProblems([], 'forbidden').other).toEqual(['forbidden']);
});

it.each([
  { object: { metadata: { namespace: 'shop' } }, namespace: 'shop' },
  { object: { metadata: { namespace: '' } }, namespace: 'default' },
  { object: { metadata: 1 }, namespace: 'default' },
  { object: undefined, namespace: 'default' },
])('puts $object into $namespace', ({ object, namespace }) => {
  expect(namespaceOf(object)).toBe(namespace);
});
