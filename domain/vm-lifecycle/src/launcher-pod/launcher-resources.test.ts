import type { DomainSpec } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { guest } from '../fixtures/objects.ts';
import { launcherResources } from './launcher-resources.ts';
import type { LauncherSettings } from './launcher-settings.ts';

const MIB = 1024n * 1024n;
const driver = {
  name: 'qemu-kvm',
  device: 'kvm',
  overheadBytes: 60n * MIB,
  runsPrivileged: false,
  emulatesMachine: true,
};
const settings: LauncherSettings = { image: 'launcher', driver };

interface Row {
  readonly what: string;
  readonly domain: Partial<DomainSpec>;
  readonly change?: Partial<LauncherSettings>;
  readonly requests: object;
  readonly limits?: object;
}

const ROWS: readonly Row[] = [
  {
    what: 'memory of the guest and the overhead',
    domain: { memory: { guest: '1Gi' } },
    requests: { memory: '1084Mi', cpu: '100m' },
  },
  {
    what: 'one tenth of a processor for each of the guest',
    domain: { cpu: { sockets: 2, cores: 2 } },
    requests: { cpu: '400m' },
  },
  {
    what: 'another share of processors',
    domain: { cpu: { cores: 4 } },
    change: { cpuAllocationRatio: 2 },
    requests: { cpu: '2000m' },
  },
  {
    what: 'processors as requested',
    domain: { resources: { requests: { cpu: '250m' }, limits: { cpu: 2 } } },
    requests: { cpu: '250m' },
    limits: { cpu: '2' },
  },
  {
    what: 'processors by the limit',
    domain: { cpu: {}, resources: { limits: { cpu: '1500m' } } },
    requests: { cpu: '200m' },
    limits: { cpu: '1500m' },
  },
  {
    what: 'memory as requested',
    domain: { memory: { guest: '1Gi' }, resources: { requests: { memory: '512Mi' } } },
    requests: { memory: '572Mi' },
  },
  {
    what: 'memory by the limit',
    domain: { memory: {}, resources: { limits: { memory: '512Mi' } } },
    requests: { memory: '572Mi' },
    limits: { memory: '572Mi' },
  },
  {
    what: 'less memory than the guests have',
    domain: { memory: { guest: '1Gi' } },
    change: { memoryOvercommitPercent: 200 },
    requests: { memory: '572Mi' },
  },
  {
    what: 'no overhead where it is given up',
    domain: { memory: { guest: '1Gi' }, resources: { overcommitGuestOverhead: true } },
    requests: { memory: '1Gi' },
  },
  {
    what: 'pages for the guest and memory for the rest',
    domain: { memory: { guest: '1Gi', hugepages: { pageSize: '2Mi' } } },
    requests: { 'hugepages-2Mi': '1Gi', memory: '60Mi' },
    limits: { 'hugepages-2Mi': '1Gi', memory: '60Mi' },
  },
  {
    what: 'more memory than pages',
    domain: { memory: { guest: '1Gi', hugepages: { pageSize: '2Mi' } }, resources: { requests: { memory: '2Gi' } } },
    requests: { 'hugepages-2Mi': '1Gi', memory: '1084Mi' },
  },
  {
    what: 'all the pages that the guest takes, though less memory is asked for',
    domain: { memory: { guest: '1Gi', hugepages: { pageSize: '2Mi' } }, resources: { requests: { memory: '2Mi' } } },
    requests: { 'hugepages-2Mi': '1Gi', memory: '60Mi' },
  },
  {
    what: 'all the pages that the guest takes, where guests have more memory than their node',
    domain: { memory: { guest: '1Gi', hugepages: { pageSize: '2Mi' } } },
    change: { memoryOvercommitPercent: 200 },
    requests: { 'hugepages-2Mi': '1Gi', memory: '60Mi' },
  },
  {
    what: 'whole pages',
    domain: { memory: { guest: '1025Mi', hugepages: { pageSize: '2Mi' } } },
    requests: { 'hugepages-2Mi': '1026Mi', memory: '60Mi' },
  },
  {
    what: 'whole processors of its own',
    domain: { cpu: { cores: 2, dedicatedCpuPlacement: true, isolateEmulatorThread: true }, memory: { guest: '1Gi' } },
    requests: { cpu: '3', memory: '1084Mi' },
    limits: { cpu: '3', memory: '1084Mi' },
  },
  {
    what: 'processors for I/O threads',
    domain: { cpu: { cores: 2, dedicatedCpuPlacement: true }, ioThreads: { supplementalPoolThreadCount: 2 } },
    requests: { cpu: '4' },
    limits: { cpu: '4' },
  },
  {
    what: 'storage beside that of the guest',
    domain: { resources: { requests: { 'ephemeral-storage': '50M' } } },
    requests: { 'ephemeral-storage': '100M' },
  },
  {
    what: 'its device',
    domain: {},
    requests: { 'devices.kubevirt.io/kvm': '1' },
    limits: { 'devices.kubevirt.io/kvm': '1' },
  },
  {
    what: 'devices of networks',
    domain: { devices: { interfaces: [{ name: 'a', masquerade: {} }] } },
    requests: { 'devices.kubevirt.io/tun': '1', 'devices.kubevirt.io/vhost-net': '1' },
  },
  {
    what: 'devices of the host',
    domain: {
      devices: {
        gpus: [
          { name: 'a', deviceName: 'nvidia.com/x' },
          { name: 'b', deviceName: 'nvidia.com/x' },
        ],
      },
    },
    requests: { 'nvidia.com/x': '2' },
    limits: { 'nvidia.com/x': '2' },
  },
];

describe('launcherResources', () => {
  it.each(ROWS)('asks for $what', ({ domain, change, requests, limits = {} }) => {
    const spec = guest({ domain: { devices: {}, ...domain } });

    expect(launcherResources(spec, { ...settings, ...change })).toMatchObject({ requests, limits });
  });

  it('needs no device of the hypervisor when the driver has none', () => {
    const interfaces = [{ name: 'a', masquerade: {} }];
    const spec = guest({ domain: { devices: { interfaces } } });

    const { requests } = launcherResources(spec, { ...settings, driver: { ...driver, device: undefined } });

    expect(Object.keys(requests).filter((name) => name.startsWith('devices'))).toEqual(['devices.kubevirt.io/tun']);
  });

  it('asks for room for empty disks, beside what is asked for and limited', () => {
    const resources = { requests: { 'ephemeral-storage': '10M' }, limits: { 'ephemeral-storage': '20M' } };
    const volumes = [
      { name: 'a', emptyDisk: { capacity: '2G' } },
      { name: 'b', containerDisk: { image: 'x' } },
      { name: 'c', emptyDisk: { capacity: '500M' } },
    ];

    const { requests, limits } = launcherResources(guest({ domain: { devices: {}, resources }, volumes }), settings);

    expect([requests['ephemeral-storage'], limits['ephemeral-storage']]).toEqual(['2560M', '2570M']);
  });

  it('names the disk whose size makes no sense', () => {
    const spec = guest({ volumes: [{ name: 'a', emptyDisk: { capacity: 'some' } }] });

    expect(() => launcherResources(spec, settings)).toThrow(
      'spec.volumes[0].emptyDisk.capacity: "some" is no quantity',
    );
  });

  it('names the field of an amount that makes no sense', () => {
    const spec = guest({ domain: { devices: {}, memory: { guest: 'plenty' } } });

    expect(() => launcherResources(spec, settings)).toThrow(
      expect.objectContaining({
        code: 'invalid-quantity',
        message: expect.stringContaining('spec.domain.memory.guest: "plenty"'),
      }),
    );
  });
});

it('uses the claims to devices that the instance names', () => {
  const gpus = [{ name: 'a', claimName: 'pgpu', requestName: 'gpu' }];

  expect(launcherResources(guest({ domain: { devices: { gpus } } }), settings).claims).toEqual([
    { name: 'pgpu', request: 'gpu' },
  ]);
  expect(launcherResources(guest(), settings).claims).toBeUndefined();
});
