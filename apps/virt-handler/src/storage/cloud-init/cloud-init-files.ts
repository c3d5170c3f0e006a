import type { ImageFile } from '@smalt/disk-image';
import type { VirtualMachineInstance } from '@smalt/vm-api';

/** What a guest is told at its first boot. It may hold secrets. */
export interface CloudInitData {
  readonly userData: Uint8Array | undefined;
  readonly networkData: Uint8Array | undefined;
  readonly publicKeys: readonly string[];
}

export const LABELS = { cloudInitNoCloud: 'cidata', cloudInitConfigDrive: 'config-2' } as const;

const INSTANCE_TYPE = 'kubevirt.io/cluster-instancetype-name';
const NAMESPACED_INSTANCE_TYPE = 'kubevirt.io/instancetype-name';
const NOTHING = new Uint8Array();

/** The files of a NoCloud disk. cloud-init wants user data to be there, even when it is empty. */
export function noCloudFiles(instance: VirtualMachineInstance, data: CloudInitData): readonly ImageFile[] {
  const { metadata, spec } = instance;
  const type = metadata.annotations?.[INSTANCE_TYPE] ?? metadata.annotations?.[NAMESPACED_INSTANCE_TYPE];
  const metaData = {
    // It stays over restarts of a virtual machine: cloud-init takes another one for a new machine.
    'instance-id': spec.domain.firmware?.uuid ?? metadata.uid ?? `${metadata.name}.${metadata.namespace}`,
    'local-hostname': hostNameOf(instance),
    ...(type === undefined ? {} : { 'instance-type': type }),
    ...(data.publicKeys.length === 0 ? {} : { 'public-keys': numbered(data.publicKeys) }),
  };
  return [
    { path: 'meta-data', content: json(metaData) },
    { path: 'user-data', content: data.userData ?? NOTHING },
    ...(data.networkData ? [{ path: 'network-config', content: data.networkData }] : []),
  ];
}

/** The files of a config drive. */
export function configDriveFiles(instance: VirtualMachineInstance, data: CloudInitData): readonly ImageFile[] {
  const { metadata, spec } = instance;
  const metaData = {
    instance_id: `${metadata.name}.${metadata.namespace}`,
    uuid: spec.domain.firmware?.uuid ?? metadata.uid,
    hostname: hostNameOf(instance),
    ...(data.publicKeys.length === 0 ? {} : { public_keys: numbered(data.publicKeys) }),
  };
  return [
    { path: 'openstack/latest/meta_data.json', content: json(metaData) },
    { path: 'openstack/latest/user_data', content: data.userData ?? NOTHING },
    ...(data.networkData ? [{ path: 'openstack/latest/network_data.json', content: data.networkData }] : []),
  ];
}

function hostNameOf({ metadata, spec }: VirtualMachineInstance): string {
  // A dot would begin a domain.
  return spec.hostname ?? (metadata.name ?? '').split('.')[0]?.slice(0, 63) ?? '';
}

function numbered(keys: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(keys.map((key, index) => [String(index), key]));
}

function json(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
