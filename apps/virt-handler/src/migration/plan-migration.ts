import { isIPv6 } from 'node:net';

import type { ReportedDisk } from '@smalt/domain-xml';
import { DomainMigrateFlags, type DomainMigrateParameters, type TypedParameterInput } from '@smalt/libvirt';
import { parseQuantity, quantityAsApproximateFloat } from '@smalt/quantity';
import type { VirtualMachineInstance, Volume } from '@smalt/vm-api';
import type { MigrationSettings } from '@smalt/vm-lifecycle';

import type { TargetXml } from './xml-for-target.ts';

const MIB = 1024 * 1024;

export interface MigrationPlanFacts {
  readonly instance: VirtualMachineInstance;
  /** Those of the domain as it runs. */
  readonly disks: readonly ReportedDisk[];
  readonly settings: MigrationSettings;
  /** Whether the hosts have certificates by which QEMU can encrypt what it sends. */
  readonly canEncrypt: boolean;
  /** How the domain is to be at the target, if that differs. */
  readonly targetXml?: TargetXml | undefined;
}

/** What libvirt is asked for. */
export interface MigrationPlan {
  readonly flags: number;
  readonly parameters: TypedParameterInput<DomainMigrateParameters>;
}

/** Plans a migration by its settings: the guest is persistent at the target, and the source forgets it. */
export function planMigration(facts: MigrationPlanFacts): MigrationPlan {
  const { instance, settings, canEncrypt } = facts;
  const address = instance.status?.migrationState?.targetNodeAddress;
  const sent = disksToSend(facts);
  const bandwidth = mebibytesPerSecond(settings.bandwidthPerMigration);
  const flag = DomainMigrateFlags;
  const flags = [
    flag.live | flag.persistDest | flag.undefineSource | flag.abortOnError,
    settings.allowAutoConverge ? flag.autoConverge : 0,
    settings.allowPostCopy ? flag.postcopy : 0,
    settings.unsafeMigrationOverride ? flag.unsafe : 0,
    canEncrypt && !settings.disableTLS ? flag.tls : 0,
    sent.length > 0 ? flag.nonSharedInc : 0,
  ].reduce((all, each) => all | each, 0);
  return {
    flags,
    parameters: {
      // Else libvirt tells its host name, which other nodes of a cluster need not know.
      ...memoryUri(address),
      ...(bandwidth === undefined ? {} : { bandwidth }),
      ...(sent.length === 0 ? {} : { migrate_disks: sent }),
      ...facts.targetXml,
    },
  };
}

/** A port in the address is that of a libvirt, or of what stands before it: QEMU listens elsewhere, where libvirt knows. */
function memoryUri(address: string | undefined): { readonly migrate_uri?: string } {
  if (address === undefined) return {};
  const bare = address.replace(/^\[(.*)\]$/u, '$1');
  if (isIPv6(bare)) return { migrate_uri: `tcp://[${bare}]` };
  return address.includes(':') ? {} : { migrate_uri: `tcp://${address}` };
}

/** The disks that are not seen from both nodes, by their targets such as `vda`. What cannot be written is made there anew. */
function disksToSend({ instance, disks }: MigrationPlanFacts): readonly string[] {
  const volumes = new Map((instance.spec.volumes ?? []).map((volume) => [volume.name, volume]));
  const moving = new Set((instance.status?.migratedVolumes ?? []).map(({ volumeName }) => volumeName));
  return disks
    .filter(({ name, isReadOnly, device }) => {
      if (isReadOnly || device !== 'disk') return false;
      const volume = name === undefined ? undefined : volumes.get(name);
      return volume === undefined || moving.has(volume.name) || !isShared(volume);
    })
    .map(({ target }) => target);
}

/** Others than shared claims and shared host disks cannot be migrated at all: see `judgeLiveMigratable`. */
function isShared({ persistentVolumeClaim, dataVolume, hostDisk }: Volume): boolean {
  return [persistentVolumeClaim, dataVolume, hostDisk].some((source) => source !== undefined);
}

/** libvirt counts in MiB a second, and takes none for no limit: the least that can be asked for is one. */
function mebibytesPerSecond(bandwidth: number | string): bigint | undefined {
  const bytes = quantityAsApproximateFloat(parseQuantity(String(bandwidth)));
  return bytes <= 0 ? undefined : BigInt(Math.max(1, Math.ceil(bytes / MIB)));
}
