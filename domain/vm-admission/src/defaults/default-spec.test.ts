import { describe, expect, it } from 'vitest';

import type { VirtualMachineInstance, VirtualMachineInstanceSpec } from '@smalt/vm-api';

import type { ClusterSettings } from '../cluster-settings.ts';
import { devices, domain, instance, settings, spec } from '../fixtures/small-instance.ts';
import { defaultInstance } from './default-instance.ts';
import type { DefaultingContext } from './default-step.ts';

const UUID = '6a1a24a1-4061-4607-8bf4-a3963d0c5895';
const NOW = '2026-08-22T10:34:54Z';

describe('the steps of defaulting', () => {
  it.each([
    { architecture: 'amd64', type: 'q35', annotation: 'v3' },
    { architecture: 'arm64', type: 'virt', annotation: 'v3' },
    { architecture: 's390x', type: 's390-ccw-virtio', annotation: undefined },
  ])('machine of $architecture', ({ architecture, type, annotation }) => {
    const { spec: filled, metadata } = fill(spec({ architecture }));

    expect(filled.domain.machine).toEqual({ type });
    expect(metadata.annotations?.['kubevirt.io/pci-topology-version']).toBe(annotation);
  });

  it('takes architecture, driver and machine from the cluster', () => {
    const { architecture: _amd, ...open } = spec();
    const filled = fill(open, {
      defaultArchitecture: 's390x',
      defaultHypervisor: 'qemu',
      architectures: { s390x: { machineType: 's390-ccw-virtio-9', emulatedMachines: [] } },
    });

    expect(filled.spec).toMatchObject({
      architecture: 's390x',
      hypervisor: 'qemu',
      domain: { machine: { type: 's390-ccw-virtio-9' } },
    });
  });

  it.each([
    { title: 'the limit', resources: { limits: { cpu: '2' } }, requests: { cpu: '2' } },
    {
      title: 'the limit over nothing',
      resources: { limits: { cpu: '2' }, requests: { cpu: '0' } },
      requests: { cpu: '2' },
    },
    { title: 'what is said', resources: { limits: { cpu: '2' }, requests: { cpu: '1' } }, requests: { cpu: '1' } },
    { title: 'nothing by default', resources: {}, requests: undefined },
    { title: 'what the cluster asks for', resources: {}, cpuRequest: '250m', requests: { cpu: '250m' } },
    { title: 'nothing where the cluster has the usual', resources: {}, cpuRequest: '0.1', requests: undefined },
    {
      title: 'nothing for dedicated processors',
      resources: {},
      cpuRequest: '250m',
      cpu: { dedicatedCpuPlacement: true, cores: 1 },
      requests: undefined,
    },
  ])('requests $title', ({ resources, cpuRequest = '100m', cpu = {}, requests }) => {
    expect(fill(domain({ resources, cpu }), { cpuRequest }).spec.domain.resources?.requests).toEqual(requests);
  });

  it.each([
    {
      title: 'what is requested',
      parts: { memory: {}, resources: { requests: { memory: '1Gi' }, limits: { memory: '2Gi' } } },
      guest: '1Gi',
    },
    { title: 'what is allowed', parts: { memory: {}, resources: { limits: { memory: '2Gi' } } }, guest: '2Gi' },
    { title: 'one huge page', parts: { memory: { hugepages: { pageSize: '2Mi' } } }, guest: '2Mi' },
    {
      title: 'nothing from a page that cannot be read',
      parts: { memory: { hugepages: { pageSize: 'big' } } },
      guest: undefined,
    },
  ])('the guest sees $title', ({ parts, guest }) => {
    expect(fill(domain(parts)).spec.domain.memory?.guest).toBe(guest);
  });

  it.each([
    { title: 'one by default', resources: {}, cpu: {}, topology: { sockets: 1, cores: 1, threads: 1 } },
    {
      title: 'whole ones of the limit',
      resources: { limits: { cpu: '2500m' }, requests: { cpu: '1' } },
      cpu: {},
      topology: { sockets: 3, cores: 1, threads: 1 },
    },
    {
      title: 'whole ones of the request',
      resources: { requests: { cpu: '1500m' } },
      cpu: {},
      topology: { sockets: 2, cores: 1, threads: 1 },
    },
    {
      title: 'at least one',
      resources: { limits: { cpu: '0' } },
      cpu: {},
      topology: { sockets: 1, cores: 1, threads: 1 },
    },
    { title: 'what is said', resources: { limits: { cpu: '8' } }, cpu: { cores: 2 }, topology: { cores: 2 } },
  ])('processors: $title', ({ resources, cpu, topology }) => {
    const { spec: filled, status } = fill(domain({ resources, cpu }));

    expect(filled.domain.cpu).toMatchObject(topology);
    expect(status?.currentCPUTopology).toEqual(topology);
  });

  it.each([
    ['alpine', 'Always'],
    ['registry/alpine:latest', 'Always'],
    ['registry/alpine:3', 'IfNotPresent'],
    ['registry/alpine@sha256:0', 'IfNotPresent'],
  ])('the image %s is pulled %s', (image, imagePullPolicy) => {
    const { volumes } = fill(spec({ volumes: [{ name: 'a', containerDisk: { image } }] })).spec;

    expect(volumes).toEqual([{ name: 'a', containerDisk: { image, imagePullPolicy } }]);
  });

  it('leaves the eviction strategy open where the cluster does', () => {
    const { evictionStrategy: _none, ...open } = settings();

    expect(defaultInstance(instance(), { ...defaulting(), settings: open }).spec.evictionStrategy).toBeUndefined();
    expect(fill(spec(), { evictionStrategy: 'External' }).spec.evictionStrategy).toBe('External');
  });

  it.each([
    {
      title: 'as the cluster says',
      parts: spec(),
      given: { defaultNetworkInterface: 'masquerade' } as const,
      interfaces: [{ name: 'default', masquerade: {} }],
    },
    {
      title: 'not when it does not want to',
      parts: devices({ autoattachPodInterface: false }),
      given: {},
      interfaces: undefined,
    },
    {
      title: 'not when it is connected',
      parts: { ...spec(), networks: [{ name: 'a', pod: {} }] },
      given: {},
      interfaces: undefined,
    },
  ])('connects an instance $title', ({ parts, given, interfaces }) => {
    expect(fill(parts, given).spec.domain.devices.interfaces).toEqual(interfaces);
  });

  it('adds disks only for volumes that the guest does not see yet', () => {
    const volumes = ['a', 'b', 'c'].map((name) => ({ name, emptyDisk: { capacity: '1Gi' } }));
    const parts = { ...devices({ disks: [{ name: 'a' }], filesystems: [{ name: 'b', virtiofs: {} }] }), volumes };

    expect(fill(parts).spec.domain.devices.disks?.map(({ name }) => name)).toEqual(['a', 'c']);
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
