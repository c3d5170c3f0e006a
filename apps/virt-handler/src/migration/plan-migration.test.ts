import type { ReportedDisk } from '@smalt/domain-xml';
import { DomainMigrateFlags as Flag } from '@smalt/libvirt';
import type { MigrationConfiguration, Volume } from '@smalt/vm-api';
import { migrationSettings } from '@smalt/vm-lifecycle';
import { describe, expect, it } from 'vitest';

import { planMigration, type MigrationPlan } from './plan-migration.ts';

const ALWAYS = Flag.live | Flag.persistDest | Flag.undefineSource | Flag.abortOnError;

describe('planMigration', () => {
  it('makes the guest persistent at the target, and the source forget it', () => {
    expect(plan()).toEqual({ flags: ALWAYS, parameters: {} });
  });

  it.each<[string, MigrationConfiguration, number]>([
    ['slows the guest down', { allowAutoConverge: true }, Flag.autoConverge],
    ['allows post-copy', { allowPostCopy: true }, Flag.postcopy],
    ['goes ahead where libvirt warns', { unsafeMigrationOverride: true }, Flag.unsafe],
  ])('%s if it may', (_, configuration, flag) => {
    expect(plan({ configuration }).flags).toBe(ALWAYS | flag);
  });

  it.each([
    [Flag.tls, true, false],
    [0, true, true],
    [0, false, false],
  ])('has the flag %i for encryption if that is possible: %s, and unwanted: %s', (flag, canEncrypt, disableTLS) => {
    expect(plan({ canEncrypt, configuration: { disableTLS } }).flags).toBe(ALWAYS | flag);
  });

  it.each([
    ['0', undefined],
    [0, undefined],
    ['64Mi', 64n],
    ['1M', 1n],
    ['1', 1n],
    ['1Gi', 1024n],
  ])('takes a bandwidth of %s for %s MiB a second', (bandwidthPerMigration, bandwidth) => {
    expect(plan({ configuration: { bandwidthPerMigration } }).parameters.bandwidth).toBe(bandwidth);
  });

  it.each([
    [undefined, undefined],
    ['192.0.2.2', 'tcp://192.0.2.2'],
    ['2001:db8::2', 'tcp://[2001:db8::2]'],
    ['[2001:db8::2]', 'tcp://[2001:db8::2]'],
    ['192.0.2.2:16509', undefined],
    ['[2001:db8::2]:16509', undefined],
  ])('has QEMU go to %s by %s; the port of a libvirt is not its', (address, uri) => {
    expect(plan({ address }).parameters.migrate_uri).toBe(uri);
  });

  it('sends along the disks that only this node has, and no others', () => {
    const volumes: readonly Volume[] = [
      { name: 'root', containerDisk: { image: 'demo' } },
      { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'moving', persistentVolumeClaim: { claimName: 'moving' } },
      { name: 'scratch', emptyDisk: { capacity: '1Gi' } },
      { name: 'shared', hostDisk: { path: '/srv/disk.img', type: 'Disk', shared: true } },
      { name: 'seed', cloudInitNoCloud: { userData: '' } },
    ];
    const disks = [
      disk('root', 'vda'),
      disk('data', 'vdb'),
      disk('moving', 'vdc'),
      disk('scratch', 'vdd'),
      disk('shared', 'vde'),
      disk('seed', 'vdf', { isReadOnly: true }),
      disk('media', 'sda', { device: 'cdrom' }),
    ];

    const { flags, parameters } = plan({ volumes, disks, moving: ['moving'] });

    expect(parameters.migrate_disks).toEqual(['vda', 'vdc', 'vdd']);
    expect(flags).toBe(ALWAYS | Flag.nonSharedInc);
  });
});

interface PlanOptions {
  readonly configuration?: MigrationConfiguration;
  readonly canEncrypt?: boolean;
  readonly volumes?: readonly Volume[];
  readonly disks?: readonly ReportedDisk[];
  readonly moving?: readonly string[];
  readonly address?: string | undefined;
}

function plan({
  configuration,
  canEncrypt = false,
  volumes = [],
  disks = [],
  moving = [],
  address,
}: PlanOptions = {}): MigrationPlan {
  return planMigration({
    instance: {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: { name: 'vm' },
      spec: { domain: { devices: {} }, volumes },
      status: {
        migratedVolumes: moving.map((volumeName) => ({ volumeName })),
        ...(address === undefined ? {} : { migrationState: { targetNodeAddress: address } }),
      },
    },
    disks,
    settings: migrationSettings(configuration),
    canEncrypt,
  });
}

function disk(name: string, target: string, change: Partial<ReportedDisk> = {}): ReportedDisk {
  return { name, target, device: 'disk', bus: 'virtio', path: `/d/${name}`, isReadOnly: false, ...change };
}
