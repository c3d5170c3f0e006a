import type { VirtualMachineInstance, VirtualMachineInstanceSpec } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { guest, instance } from '../fixtures/objects.ts';
import { judgeLiveMigratable, type MigratabilityFacts } from './judge-live-migratable.ts';

const claim = [{ name: 'root', persistentVolumeClaim: { claimName: 'a' } }];
const bridged = {
  networks: [{ name: 'n', pod: {} }],
  domain: { devices: { interfaces: [{ name: 'n', bridge: {} }] } },
};

interface Refused {
  readonly what: string;
  readonly reason: string;
  readonly spec: Partial<VirtualMachineInstanceSpec>;
  readonly change?: Partial<MigratabilityFacts>;
}

const REFUSED: readonly Refused[] = [
  { what: 'a claim of one node', reason: 'DisksNotLiveMigratable', spec: { volumes: claim } },
  {
    what: 'a disk on the node',
    reason: 'DisksNotLiveMigratable',
    spec: { volumes: [{ name: 'a', hostDisk: { path: '/a', type: 'Disk' } }] },
  },
  { what: 'a bridge to the pod network', reason: 'InterfaceNotLiveMigratable', spec: bridged },
  {
    what: 'the model of a node without one',
    reason: 'CPUModeLiveMigratable',
    spec: { domain: { cpu: { model: 'host-model' }, devices: {} } },
    change: { hasHostModel: false },
  },
  {
    what: 'shared directories',
    reason: 'VirtIOFSNotLiveMigratable',
    spec: { domain: { devices: { filesystems: [{ name: 'a', virtiofs: {} }] } } },
  },
  {
    what: 'a GPU',
    reason: 'HostDeviceNotLiveMigratable',
    spec: { domain: { devices: { gpus: [{ name: 'a', deviceName: 'x' }] } } },
  },
  {
    what: 'SR-IOV',
    reason: 'HostDeviceNotLiveMigratable',
    spec: { domain: { devices: { interfaces: [{ name: 'a', sriov: {} }] } } },
  },
  {
    what: 'the NUMA cells of its node',
    reason: 'NotMigratable',
    spec: {
      domain: { devices: {}, cpu: { dedicatedCpuPlacement: true, numa: { guestMappingPassthrough: {} } } },
    },
  },
  { what: 'SEV', reason: 'SEVNotLiveMigratable', spec: { domain: { devices: {}, launchSecurity: { sev: {} } } } },
  { what: 'TDX', reason: 'TDXNotLiveMigratable', spec: { domain: { devices: {}, launchSecurity: { tdx: {} } } } },
  {
    what: 'hyperv passthrough',
    reason: 'HypervPassthroughNotLiveMigratable',
    spec: { domain: { devices: {}, features: { hypervPassthrough: { enabled: true } } } },
  },
  {
    what: 'reservations',
    reason: 'PersistentReservationNotLiveMigratable',
    spec: { domain: { devices: { disks: [{ name: 'a', lun: { reservation: true } }] } } },
  },
  {
    what: 'a driver that cannot',
    reason: 'NotMigratable',
    spec: {},
    change: { driverObjection: 'lxc cannot migrate' },
  },
];

describe('judgeLiveMigratable', () => {
  it.each(REFUSED)('refuses $what: $reason', ({ reason, spec, change }) => {
    expect(judge(spec, change).condition).toMatchObject({ type: 'LiveMigratable', status: 'False', reason });
  });

  it.each<[string, string, Partial<VirtualMachineInstanceSpec>]>([
    ['nothing on the node', 'LiveMigration', {}],
    [
      'processors of its own',
      'LiveMigration',
      { domain: { devices: {}, cpu: { model: 'qemu64', dedicatedCpuPlacement: true } } },
    ],
    ['a shared claim', 'LiveMigration', { volumes: [{ name: 'shared', persistentVolumeClaim: { claimName: 'b' } }] }],
    ['a container disk', 'BlockMigration', { volumes: [{ name: 'a', containerDisk: { image: 'x' } }] }],
    ['cloud-init', 'BlockMigration', { volumes: [{ name: 'a', cloudInitNoCloud: { userData: 'x' } }] }],
    [
      'a shared disk of the node',
      'LiveMigration',
      { volumes: [{ name: 'a', hostDisk: { path: '/a', type: 'Disk', shared: true } }] },
    ],
  ])('migrates one with %s as %s', (_what, method, spec) => {
    expect(judge(spec)).toEqual({ condition: { type: 'LiveMigratable', status: 'True' }, method });
  });

  it('lets the bridge pass for those who allow it', () => {
    const annotations = { 'kubevirt.io/allow-pod-bridge-network-live-migration': '' };
    const vmi = instance('Running', {}, { annotations }, guest(bridged));

    expect(judgeLiveMigratable(facts(vmi)).condition.status).toBe('True');
  });

  it('lets a claim pass that is itself on its way', () => {
    const vmi = instance('Running', { migratedVolumes: [{ volumeName: 'root' }] }, {}, guest({ volumes: claim }));

    expect(judgeLiveMigratable(facts(vmi)).condition.status).toBe('True');
  });
});

function judge(spec: Partial<VirtualMachineInstanceSpec>, change: Partial<MigratabilityFacts> = {}) {
  return judgeLiveMigratable({ ...facts(instance('Running', {}, {}, guest(spec))), ...change });
}

function facts(vmi: VirtualMachineInstance): MigratabilityFacts {
  return {
    vmi,
    sharedClaims: new Map([
      ['shared', true],
      ['root', false],
    ]),
    hasHostModel: true,
  };
}
