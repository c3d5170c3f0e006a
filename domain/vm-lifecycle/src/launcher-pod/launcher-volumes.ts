import { dirname } from 'node:path';

import type { AccessCredential, VirtualMachineInstance, Volume } from '@smalt/vm-api';

import type { LauncherSettings } from './launcher-settings.ts';

/** A volume of a pod, as the API takes it. */
export interface PodVolume {
  readonly name: string;
  readonly [source: string]: unknown;
}

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
}

export interface LauncherVolumes {
  readonly volumes: readonly PodVolume[];
  readonly mounts: readonly VolumeMount[];
  readonly devices: readonly { readonly name: string; readonly devicePath: string }[];
}

/** The volume of a launcher pod that holds the kernel of its guest. */
export const KERNEL_VOLUME = 'kernel-boot-volume';

const SCRATCH: readonly (readonly [string, string])[] = [
  ['private', '/var/run/kubevirt-private'],
  ['public', '/var/run/kubevirt'],
  ['sockets', '/var/run/kubevirt/sockets'],
  ['ephemeral-disks', '/var/run/kubevirt-ephemeral-disks'],
  ['libvirt-runtime', '/var/run/libvirt'],
];

/** What a pod is given of the service account that it runs as. */
const SERVICE_ACCOUNT = [
  { serviceAccountToken: { path: 'token' } },
  { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
  { downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }] } },
];

/** The volumes of a launcher pod: room of its own, and what the volumes of the instance are made from. */
export function launcherVolumes({ spec }: VirtualMachineInstance, { blockVolumes }: LauncherSettings): LauncherVolumes {
  const scratch: LauncherVolumes = {
    volumes: SCRATCH.map(([name]) => ({ name, emptyDir: {} })),
    mounts: SCRATCH.map(([name, mountPath]) => ({ name, mountPath })),
    devices: [],
  };
  const pageSize = spec.domain.memory?.hugepages?.pageSize;
  const pages: LauncherVolumes = {
    volumes: [{ name: 'hugepages', emptyDir: { medium: 'HugePages' } }],
    mounts: [{ name: 'hugepages', mountPath: '/dev/hugepages' }],
    devices: [],
  };
  const parts = [
    ...kernelParts(spec),
    ...(spec.volumes ?? []).flatMap((volume) => volumeParts(volume, blockVolumes?.has(volume.name) === true)),
    ...(spec.accessCredentials ?? []).flatMap(accessParts),
  ];
  return [scratch, ...(pageSize === undefined ? [] : [pages]), ...parts].reduce((left, right) => ({
    volumes: [...left.volumes, ...right.volumes],
    mounts: [...left.mounts, ...right.mounts],
    devices: [...left.devices, ...right.devices],
  }));
}

/** The image with the kernel that the guest boots from, where it has one of its own. */
function kernelParts({ domain }: VirtualMachineInstance['spec']): readonly LauncherVolumes[] {
  const container = domain.firmware?.kernelBoot?.container;
  if (container === undefined) return [];
  const { image: reference, imagePullPolicy: pullPolicy = 'IfNotPresent' } = container;
  return [mounted(KERNEL_VOLUME, { image: { reference, pullPolicy } }, '/var/run/kubevirt/kernel-boot')];
}

function volumeParts(volume: Volume, isBlock: boolean): readonly LauncherVolumes[] {
  const { name, containerDisk, persistentVolumeClaim, dataVolume, ephemeral, configMap, secret, sysprep } = volume;
  // One that is plugged in later comes by another way: the pod must not wait for it.
  if (persistentVolumeClaim?.hotpluggable === true || dataVolume?.hotpluggable === true) return [];
  const claimName = persistentVolumeClaim?.claimName ?? dataVolume?.name ?? ephemeral?.persistentVolumeClaim?.claimName;
  if (claimName !== undefined) return [claimParts(name, claimName, isBlock)];
  if (containerDisk !== undefined) {
    const image = { reference: containerDisk.image, pullPolicy: containerDisk.imagePullPolicy ?? 'IfNotPresent' };
    return [mounted(name, { image }, `/var/run/kubevirt/container-disks/${name}`)];
  }
  if (configMap !== undefined) return [mounted(name, { configMap: nameOf(configMap) }, configPath('config-map', name))];
  if (secret !== undefined) return [mounted(name, { secret: secretOf(secret) }, configPath('secret', name))];
  if (sysprep?.secret !== undefined) {
    return [mounted(name, { secret: { secretName: sysprep.secret.name } }, configPath('sysprep', name))];
  }
  if (sysprep?.configMap !== undefined) {
    return [mounted(name, { configMap: { name: sysprep.configMap.name } }, configPath('sysprep', name))];
  }
  if (volume.serviceAccount !== undefined) {
    return [mounted(name, { projected: { sources: SERVICE_ACCOUNT } }, configPath('service-account', name))];
  }
  if (volume.hostDisk !== undefined) return [shownHostPath(name, volume.hostDisk.path)];
  return credentialParts(volume);
}

/** Policies for pods have to see what of the node the guest gets; its handler opens it, so the pod mounts nothing. */
function shownHostPath(name: string, path: string): LauncherVolumes {
  return { volumes: [{ name, hostPath: { path: dirname(path) } }], mounts: [], devices: [] };
}

/** Keys that go into the guest by its disk for cloud-init. */
function accessParts({ sshPublicKey }: AccessCredential, index: number): readonly LauncherVolumes[] {
  const secretName = sshPublicKey?.source.secret?.secretName;
  const { noCloud, configDrive } = sshPublicKey?.propagationMethod ?? {};
  if (secretName === undefined || (noCloud === undefined && configDrive === undefined)) return [];
  const name = `access-credential-${index}`;
  return [mounted(name, { secret: { secretName } }, configPath('access-credentials', name))];
}

/** User data that stands in Secrets is mounted, so that no one but the kubelet of the node reads them. */
function credentialParts({ name, cloudInitNoCloud, cloudInitConfigDrive }: Volume): readonly LauncherVolumes[] {
  const { secretRef, networkDataSecretRef } = cloudInitNoCloud ?? cloudInitConfigDrive ?? {};
  const part = (suffix: string, secretName: string | undefined): readonly LauncherVolumes[] =>
    secretName === undefined
      ? []
      : [mounted(`${name}-${suffix}`, { secret: { secretName } }, configPath(`cloud-init-${suffix}`, name))];
  return [...part('udata', secretRef?.name), ...part('ndata', networkDataSecretRef?.name)];
}

function claimParts(name: string, claimName: string, isBlock: boolean): LauncherVolumes {
  const volumes = [{ name, persistentVolumeClaim: { claimName } }];
  if (isBlock) return { volumes, mounts: [], devices: [{ name, devicePath: `/dev/${name}` }] };
  return { volumes, mounts: [{ name, mountPath: `/var/run/kubevirt-private/vmi-disks/${name}` }], devices: [] };
}

function mounted(name: string, source: Readonly<Record<string, unknown>>, mountPath: string): LauncherVolumes {
  return { volumes: [{ name, ...source }], mounts: [{ name, mountPath, readOnly: true }], devices: [] };
}

function configPath(kind: string, name: string): string {
  return `/var/run/kubevirt-private/${kind}/${name}`;
}

function nameOf({ name, optional }: { readonly name?: string; readonly optional?: boolean }): object {
  return { name, ...(optional === undefined ? {} : { optional }) };
}

function secretOf({ secretName, optional }: { readonly secretName?: string; readonly optional?: boolean }): object {
  return { secretName, ...(optional === undefined ? {} : { optional }) };
}
