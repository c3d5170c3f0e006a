import { flag, listOf, of, quantity, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

import {
  corePersistentVolumeClaimVolumeSource,
  downwardAPIVolumeFile,
  localObjectReference,
} from './kubernetes-references.ts';

const cloudInitConfigDriveSource: TSchema = shape({
  name: 'CloudInitConfigDriveSource',
  description: 'Data for cloud-init, as a config drive.',
  fields: {
    networkData: text('The network data as text.'),
    networkDataBase64: text('The network data in base64.'),
    networkDataSecretRef: of(localObjectReference, 'The Secret that holds the network data.'),
    secretRef: of(localObjectReference, 'The Secret that holds the user data.'),
    userData: text('The user data as text.'),
    userDataBase64: text('The user data in base64.'),
  },
});

const cloudInitNoCloudSource: TSchema = shape({
  name: 'CloudInitNoCloudSource',
  description: 'Data for cloud-init, as a NoCloud disk.',
  fields: {
    networkData: text('The network data as text.'),
    networkDataBase64: text('The network data in base64.'),
    networkDataSecretRef: of(localObjectReference, 'The Secret that holds the network data.'),
    secretRef: of(localObjectReference, 'The Secret that holds the user data.'),
    userData: text('The user data as text.'),
    userDataBase64: text('The user data in base64.'),
  },
});

const configMapVolumeSource: TSchema = shape({
  name: 'ConfigMapVolumeSource',
  description: 'The entries of a ConfigMap as files.',
  options: { 'x-kubernetes-map-type': 'atomic' },
  fields: {
    name: text('The name of the ConfigMap.', { default: '' }),
    optional: flag('Whether it may be missing.'),
    volumeLabel: text('The label of the disk that the guest sees.'),
  },
});

const containerDiskSource: TSchema = shape({
  name: 'ContainerDiskSource',
  description: 'A disk image in a container image. Changes are lost when the guest stops.',
  required: ['image'],
  fields: {
    image: text('The container image.'),
    imagePullPolicy: text('When the image is pulled: `Always`, `IfNotPresent` or `Never`.'),
    imagePullSecret: text('The Secret that is needed to pull it.'),
    path: text('The path of the disk image; the only file under `/disk` when not set.'),
  },
});

const containerPathVolumeSource: TSchema = shape({
  name: 'ContainerPathVolumeSource',
  description: 'A directory of the launcher.',
  required: ['path'],
  fields: {
    path: text('The path of the directory.', {
      maxLength: 4096,
      'x-kubernetes-validations': [
        { rule: "self.startsWith('/')", message: "path must be absolute (start with '/')" },
        { rule: "!self.contains('..')", message: "path must not contain '..'" },
      ],
    }),
    readOnly: flag('Always true.', {
      default: true,
      'x-kubernetes-validations': [
        { rule: 'self == true', message: 'readOnly must be true, write access is not supported' },
      ],
    }),
  },
});

export const dataVolumeSource: TSchema = shape({
  name: 'DataVolumeSource',
  description: 'A DataVolume in the same namespace.',
  required: ['name'],
  fields: {
    hotpluggable: flag('Whether it can be unplugged while the guest runs.'),
    name: text('The name of the DataVolume.'),
  },
});

const downwardAPIVolumeSource: TSchema = shape({
  name: 'DownwardAPIVolumeSource',
  description: 'Fields of the virtual machine as files.',
  fields: {
    fields: listOf(downwardAPIVolumeFile, 'The files and what they hold.'),
    volumeLabel: text('The label of the disk that the guest sees.'),
  },
});

const downwardMetricsVolumeSource: TSchema = shape({
  name: 'DownwardMetricsVolumeSource',
  description: 'A disk from which the guest reads metrics of its host.',
  fields: {},
});

const emptyDiskSource: TSchema = shape({
  name: 'EmptyDiskSource',
  description: 'An empty disk that lives as long as the guest runs.',
  required: ['capacity'],
  fields: {
    capacity: quantity('The size of the disk.'),
  },
});

const ephemeralVolumeSource: TSchema = shape({
  name: 'EphemeralVolumeSource',
  description: 'A claim that is only read; changes are lost when the guest stops.',
  fields: {
    persistentVolumeClaim: of(corePersistentVolumeClaimVolumeSource, 'The claim.'),
  },
});

const hostDisk: TSchema = shape({
  name: 'HostDisk',
  description: 'A disk image on the node.',
  required: ['path', 'type'],
  fields: {
    capacity: quantity('The size of the image that is made.'),
    path: text('The path of the image on the node.'),
    shared: flag('Whether the path leads to the same image on all nodes.'),
    type: text('`Disk`: it must be there. `DiskOrCreate`: it is made when missing.'),
  },
});

const memoryDumpVolumeSource: TSchema = shape({
  name: 'MemoryDumpVolumeSource',
  description: "A claim that takes dumps of the guest's memory.",
  required: ['claimName'],
  fields: {
    claimName: text('The name of the claim.'),
    hotpluggable: flag('Whether it can be unplugged while the guest runs.'),
    readOnly: flag('Whether it is only read.'),
  },
});

export const persistentVolumeClaimVolumeSource: TSchema = shape({
  name: 'PersistentVolumeClaimVolumeSource',
  description: 'A claim in the same namespace.',
  required: ['claimName'],
  fields: {
    claimName: text('The name of the claim.'),
    hotpluggable: flag('Whether it can be unplugged while the guest runs.'),
    readOnly: flag('Whether it is only read.'),
  },
});

const secretVolumeSource: TSchema = shape({
  name: 'SecretVolumeSource',
  description: 'The entries of a Secret as files.',
  fields: {
    optional: flag('Whether it may be missing.'),
    secretName: text('The name of the Secret.'),
    volumeLabel: text('The label of the disk that the guest sees.'),
  },
});

const serviceAccountVolumeSource: TSchema = shape({
  name: 'ServiceAccountVolumeSource',
  description: 'The token of a service account as a file.',
  fields: {
    serviceAccountName: text('The name of the service account.'),
  },
});

const sysprepSource: TSchema = shape({
  name: 'SysprepSource',
  description: 'An answer file for the setup of Windows.',
  fields: {
    configMap: of(localObjectReference, 'The ConfigMap that holds it.'),
    secret: of(localObjectReference, 'The Secret that holds it.'),
  },
});

export const utilityVolume: TSchema = shape({
  name: 'UtilityVolume',
  description: 'A volume for the launcher, not for the guest.',
  required: ['claimName', 'name'],
  fields: {
    claimName: text('The name of the claim.'),
    name: text('The name of the volume.'),
    readOnly: flag('Whether it is only read.'),
    type: text('What it is for.'),
  },
});

export const volume: TSchema = shape({
  name: 'Volume',
  description: 'A volume that the virtual machine uses; exactly one source is set.',
  required: ['name'],
  fields: {
    cloudInitConfigDrive: of(cloudInitConfigDriveSource, 'Data for cloud-init, as a config drive.'),
    cloudInitNoCloud: of(cloudInitNoCloudSource, 'Data for cloud-init, as a NoCloud disk.'),
    configMap: of(configMapVolumeSource, 'The entries of a ConfigMap as files.'),
    containerDisk: of(containerDiskSource, 'A disk image in a container image.'),
    containerPath: of(containerPathVolumeSource, 'A directory of the launcher.'),
    dataVolume: of(dataVolumeSource, 'A DataVolume in the same namespace.'),
    downwardAPI: of(downwardAPIVolumeSource, 'Fields of the virtual machine as files.'),
    downwardMetrics: of(downwardMetricsVolumeSource, 'A disk from which the guest reads metrics of its host.'),
    emptyDisk: of(emptyDiskSource, 'An empty disk that lives as long as the guest runs.'),
    ephemeral: of(ephemeralVolumeSource, 'A claim that is only read.'),
    hostDisk: of(hostDisk, 'A disk image on the node.'),
    memoryDump: of(memoryDumpVolumeSource, "A claim that takes dumps of the guest's memory."),
    name: text('The name of the volume.'),
    persistentVolumeClaim: of(persistentVolumeClaimVolumeSource, 'A claim in the same namespace.'),
    secret: of(secretVolumeSource, 'The entries of a Secret as files.'),
    serviceAccount: of(serviceAccountVolumeSource, 'The token of a service account as a file.'),
    sysprep: of(sysprepSource, 'An answer file for the setup of Windows.'),
  },
});
