import { choice, flag, labelSelector, listOf, of, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

import {
  persistentVolumeClaimSpec,
  typedLocalObjectReference,
  typedObjectReference,
  volumeResourceRequirements,
} from './kubernetes-references.ts';
import { templateMetadata } from './template-metadata.ts';

const dataVolumeBlankImage: TSchema = shape({
  name: 'DataVolumeBlankImage',
  description: 'An empty image.',
  fields: {},
});

const dataVolumeSourceGCS: TSchema = shape({
  name: 'DataVolumeSourceGCS',
  description: 'An object in Google Cloud Storage.',
  required: ['url'],
  fields: {
    secretRef: text('The Secret that holds the credentials.'),
    url: text('The address of the object.'),
  },
});

const dataVolumeSourceHTTP: TSchema = shape({
  name: 'DataVolumeSourceHTTP',
  description: 'A file on a web server.',
  required: ['url'],
  fields: {
    certConfigMap: text('The ConfigMap that holds certificates to trust.'),
    extraHeaders: listOf(text(''), 'Headers to send.'),
    secretExtraHeaders: listOf(text(''), 'Secrets that hold further headers to send.'),
    secretRef: text('The Secret that holds user name and password.'),
    url: text('The address of the file.'),
  },
});

const dataVolumeSourceImageIO: TSchema = shape({
  name: 'DataVolumeSourceImageIO',
  description: 'A disk of oVirt.',
  required: ['diskId', 'url'],
  fields: {
    certConfigMap: text('The ConfigMap that holds certificates to trust.'),
    diskId: text('The id of the disk.'),
    insecureSkipVerify: flag('Trust any certificate.'),
    secretRef: text('The Secret that holds user name and password.'),
    url: text('The address of the engine.'),
  },
});

const dataVolumeSourcePVC: TSchema = shape({
  name: 'DataVolumeSourcePVC',
  description: 'Another claim, which is cloned.',
  required: ['name', 'namespace'],
  fields: {
    name: text('The name of the claim.'),
    namespace: text('The namespace of the claim.'),
  },
});

const platformOptions: TSchema = shape({
  name: 'PlatformOptions',
  description: 'Which variant of an image is taken.',
  fields: {
    architecture: text('The architecture of the image.'),
  },
});

const dataVolumeSourceRegistry: TSchema = shape({
  name: 'DataVolumeSourceRegistry',
  description: 'An image in a container registry.',
  fields: {
    certConfigMap: text('The ConfigMap that holds certificates to trust.'),
    imageStream: text('The image stream to import, in place of an address.'),
    platform: of(platformOptions, 'Which variant of the image is taken.'),
    pullMethod: text('`pod` or `node`: who pulls the image.'),
    secretRef: text('The Secret that holds the credentials.'),
    url: text('The address of the image.'),
  },
});

const dataVolumeSourceS3: TSchema = shape({
  name: 'DataVolumeSourceS3',
  description: 'An object in S3.',
  required: ['url'],
  fields: {
    certConfigMap: text('The ConfigMap that holds certificates to trust.'),
    secretRef: text('The Secret that holds the credentials.'),
    url: text('The address of the object.'),
  },
});

const dataVolumeSourceSnapshot: TSchema = shape({
  name: 'DataVolumeSourceSnapshot',
  description: 'A snapshot of a volume.',
  required: ['name', 'namespace'],
  fields: {
    name: text('The name of the snapshot.'),
    namespace: text('The namespace of the snapshot.'),
  },
});

const dataVolumeSourceUpload: TSchema = shape({
  name: 'DataVolumeSourceUpload',
  description: 'Filled by an upload.',
  fields: {},
});

const dataVolumeSourceVDDK: TSchema = shape({
  name: 'DataVolumeSourceVDDK',
  description: 'A disk of VMware.',
  fields: {
    backingFile: text('The path of the disk at its source.'),
    extraArgs: text('The ConfigMap that holds further arguments.'),
    initImageURL: text('The image that holds the VDDK library.'),
    secretRef: text('The Secret that holds user name and password.'),
    thumbprint: text("The fingerprint of the server's certificate."),
    url: text('The address of the server.'),
    uuid: text('The id of the virtual machine there.'),
  },
});

const dataVolumeContentSource: TSchema = shape({
  name: 'DataVolumeContentSource',
  description: 'Where the data of a volume comes from; exactly one is set.',
  fields: {
    blank: of(dataVolumeBlankImage, 'An empty image.'),
    gcs: of(dataVolumeSourceGCS, 'An object in Google Cloud Storage.'),
    http: of(dataVolumeSourceHTTP, 'A file on a web server.'),
    imageio: of(dataVolumeSourceImageIO, 'A disk of oVirt.'),
    pvc: of(dataVolumeSourcePVC, 'Another claim, which is cloned.'),
    registry: of(dataVolumeSourceRegistry, 'An image in a container registry.'),
    s3: of(dataVolumeSourceS3, 'An object in S3.'),
    snapshot: of(dataVolumeSourceSnapshot, 'A snapshot of a volume.'),
    upload: of(dataVolumeSourceUpload, 'Filled by an upload.'),
    vddk: of(dataVolumeSourceVDDK, 'A disk of VMware.'),
  },
});

const dataVolumeCheckpoint: TSchema = shape({
  name: 'DataVolumeCheckpoint',
  description: 'One step of an import in several steps.',
  required: ['current', 'previous'],
  fields: {
    current: text('The snapshot of this step.'),
    previous: text('The snapshot of the step before; empty for the first.'),
  },
});

const dataVolumeSourceRef: TSchema = shape({
  name: 'DataVolumeSourceRef',
  description: 'Names an object that says where the data comes from.',
  required: ['kind', 'name'],
  fields: {
    kind: text('The kind of the object; `DataSource`.'),
    name: text('The name of the object.'),
    namespace: text('The namespace of the object.'),
  },
});

const storageSpec: TSchema = shape({
  name: 'StorageSpec',
  description: 'A claim for storage, with gaps that are filled by what is known of the storage class.',
  fields: {
    accessModes: listOf(text(''), 'How the volume must be mountable.'),
    dataSource: of(typedLocalObjectReference, 'What the volume is filled from, in the same namespace.'),
    dataSourceRef: of(typedObjectReference, 'What the volume is filled from.'),
    resources: of(volumeResourceRequirements, 'How large the volume must be.'),
    selector: of(labelSelector, 'Chooses the volume by its labels.'),
    storageClassName: text('The storage class.'),
    volumeMode: text('`Filesystem` or `Block`.'),
    volumeName: text('The name of the volume that is claimed.'),
  },
});

const dataVolumeSpec: TSchema = shape({
  name: 'DataVolumeSpec',
  description: 'A volume and the data to fill it with.',
  fields: {
    checkpoints: listOf(dataVolumeCheckpoint, 'The steps of an import in several steps.'),
    contentType: choice(['kubevirt', 'archive'], 'What the data is: an image, or an archive of files.'),
    finalCheckpoint: flag('Whether the last step is the last one of all.'),
    preallocation: flag('Take all space at once.'),
    priorityClassName: text('The priority class of the pods that do the work.'),
    pvc: of(persistentVolumeClaimSpec, 'The claim, as Kubernetes has it.'),
    source: of(dataVolumeContentSource, 'Where the data comes from.'),
    sourceRef: of(dataVolumeSourceRef, 'Names an object that says where the data comes from.'),
    storage: of(storageSpec, 'The claim, with gaps that are filled.'),
  },
});

const dataVolumeTemplateDummyStatus: TSchema = shape({
  name: 'DataVolumeTemplateDummyStatus',
  description: 'Ignored.',
  fields: {},
});

export const dataVolumeTemplateSpec: TSchema = shape({
  name: 'DataVolumeTemplateSpec',
  description: 'A DataVolume that belongs to the virtual machine.',
  required: ['spec'],
  fields: {
    apiVersion: text('The version of the DataVolume.'),
    kind: text('The kind; `DataVolume`.'),
    metadata: of(templateMetadata, 'The metadata of the DataVolume.'),
    spec: of(dataVolumeSpec, 'The volume and its data.'),
    status: of(dataVolumeTemplateDummyStatus, 'Ignored.', { nullable: true }),
  },
});
