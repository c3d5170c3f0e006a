import type { ComputeInstance } from '@smalt/compute';
import type { Server, ServerFlavor } from '@smalt/openstack';
import { describe, expect, it } from 'vitest';

import { demandOf, readInstance } from './read-instance.ts';

const settings = { movesVirtualGpus: false };

describe('an instance', () => {
  it('has what the port tells of it', () => {
    const instance = readInstance(
      server({
        isLocked: true,
        fault: { code: 500, message: 'out of luck', createdAt: undefined },
        flavor: flavor({ 'trait:CUSTOM_A': 'required', 'trait:CUSTOM_B': 'forbidden', 'hw:tpm_version': '2.0' }),
      }),
      settings,
    );

    expect(instance).toEqual({
      id: 's1',
      name: 'one',
      state: 'running',
      stateText: 'ACTIVE',
      guestState: 'running',
      isMeantToRun: true,
      hostName: 'node1',
      hypervisorHostname: 'node1.example.org',
      memoryMiB: 2048,
      resources: { VCPU: 2, MEMORY_MB: 2048, DISK_GB: 23 },
      requiredTraits: ['CUSTOM_A'],
      zone: 'az1',
      obstacles: ['has a virtual TPM (hw:tpm_version=2.0)'],
      isLocked: true,
      metadata: {},
      flavorProperties: { 'trait:CUSTOM_A': 'required', 'trait:CUSTOM_B': 'forbidden', 'hw:tpm_version': '2.0' },
      fault: 'out of luck',
      demand: {
        requiredTraits: ['CUSTOM_A'],
        forbiddenTraits: ['CUSTOM_B'],
        aggregateSpecs: {},
        projectId: 'p1',
      },
    });
  });

  it('whose cell cannot be reached asks for nothing, and is busy', () => {
    const unknown = server({ status: 'UNKNOWN', name: undefined, flavor: undefined, host: undefined });

    expect(readInstance(unknown, settings)).toMatchObject({
      name: 's1',
      state: 'busy',
      memoryMiB: 0,
      resources: {},
    });
  });

  it.each<readonly [string, Partial<Server>, Record<string, string>, Record<string, number>]>([
    ['from an image', {}, {}, { VCPU: 2, MEMORY_MB: 2048, DISK_GB: 23 }],
    ['from a volume', { imageId: undefined }, {}, { VCPU: 2, MEMORY_MB: 2048, DISK_GB: 3 }],
    ['with processors of its own', {}, { 'hw:cpu_policy': 'dedicated' }, { PCPU: 2, MEMORY_MB: 2048, DISK_GB: 23 }],
    ['with some of its own', {}, { 'hw:cpu_policy': 'mixed' }, { MEMORY_MB: 2048, DISK_GB: 23 }],
    ['with other amounts', {}, { 'resources:VCPU': '0', 'resources:DISK_GB': '5' }, { MEMORY_MB: 2048, DISK_GB: 5 }],
    ['without disk', {}, { 'resources:DISK_GB': '0' }, { VCPU: 2, MEMORY_MB: 2048 }],
    ['with a GPU', {}, { 'resources:VGPU': '1' }, { VCPU: 2, MEMORY_MB: 2048, DISK_GB: 23, VGPU: 1 }],
    ['with a typing error', {}, { 'resources:VGPU': 'one' }, { VCPU: 2, MEMORY_MB: 2048, DISK_GB: 23 }],
    ['with groups', {}, { 'resources1:CUSTOM_A': '1' }, { VCPU: 2, MEMORY_MB: 2048, DISK_GB: 23 }],
  ])('%s asks for the right resources', (_what, fields, specs, resources) => {
    expect(readInstance(server({ flavor: flavor(specs), ...fields }), settings).resources).toEqual(resources);
  });

  it('asks for what aggregates say', () => {
    const specs = { 'aggregate_instance_extra_specs:ssd': 'true', ssd: 'false' };

    expect(readInstance(server({ flavor: flavor(specs) }), settings).demand.aggregateSpecs).toEqual({ ssd: 'true' });
  });

  it('of other origin asks for what the port tells', () => {
    const read = readInstance(server({ flavor: flavor({ 'trait:X': 'required' }) }), settings);
    const { demand: _demand, ...plain }: ComputeInstance & { readonly demand: unknown } = read;

    expect(demandOf(plain)).toEqual({
      requiredTraits: ['X'],
      forbiddenTraits: [],
      aggregateSpecs: {},
      projectId: undefined,
    });
  });
});

function flavor(extraSpecs: Record<string, string>): ServerFlavor {
  return { name: 'm', vcpus: 2, memoryMiB: 2048, diskGiB: 20, ephemeralGiB: 2, swapMiB: 512, extraSpecs };
}

function server(fields: Partial<Server>): Server {
  return {
    id: 's1',
    name: 'one',
    status: 'ACTIVE',
    taskState: undefined,
    vmState: 'active',
    powerState: 1,
    host: 'node1',
    hypervisorHostname: 'node1.example.org',
    hostStatus: 'UP',
    instanceName: 'instance-00000001',
    projectId: 'p1',
    userId: 'u1',
    availabilityZone: 'az1',
    flavor: flavor({}),
    imageId: 'image',
    volumeIds: [],
    serverGroupIds: [],
    isLocked: false,
    lockedReason: undefined,
    metadata: {},
    tags: [],
    fault: undefined,
    createdAt: undefined,
    updatedAt: undefined,
    launchedAt: undefined,
    ...fields,
  };
}
