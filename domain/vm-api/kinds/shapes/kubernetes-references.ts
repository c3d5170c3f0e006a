import { atomicListOf, flag, int32, labelSelector, of, quantitiesByName, quantity, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

export const localObjectReference: TSchema = shape({
  name: 'LocalObjectReference',
  description: 'Names an object in the same namespace.',
  options: { 'x-kubernetes-map-type': 'atomic' },
  fields: {
    name: text('The name of the object.', { default: '' }),
  },
});

const objectFieldSelector: TSchema = shape({
  name: 'ObjectFieldSelector',
  description: 'Names a field of the object itself.',
  required: ['fieldPath'],
  options: { 'x-kubernetes-map-type': 'atomic' },
  fields: {
    apiVersion: text('The version the path is written for.'),
    fieldPath: text('The path of the field.'),
  },
});

const resourceFieldSelector: TSchema = shape({
  name: 'ResourceFieldSelector',
  description: 'Names a resource of a container.',
  required: ['resource'],
  options: { 'x-kubernetes-map-type': 'atomic' },
  fields: {
    containerName: text('The name of the container.'),
    divisor: quantity('What the amount is divided by.'),
    resource: text('The resource, such as `limits.cpu`.'),
  },
});

export const downwardAPIVolumeFile: TSchema = shape({
  name: 'DownwardAPIVolumeFile',
  description: 'A file that holds a field of the object.',
  required: ['path'],
  fields: {
    fieldRef: of(objectFieldSelector, 'The field, such as a label.'),
    mode: int32('The permissions of the file.'),
    path: text('The path of the file, relative and without `..`.'),
    resourceFieldRef: of(resourceFieldSelector, 'The resource of a container.'),
  },
});

export const typedLocalObjectReference: TSchema = shape({
  name: 'TypedLocalObjectReference',
  description: 'Names an object of some kind in the same namespace.',
  required: ['kind', 'name'],
  options: { 'x-kubernetes-map-type': 'atomic' },
  fields: {
    apiGroup: text('The group of the kind; empty for the core group.'),
    kind: text('The kind of the object.'),
    name: text('The name of the object.'),
  },
});

export const typedObjectReference: TSchema = shape({
  name: 'TypedObjectReference',
  description: 'Names an object of some kind.',
  required: ['kind', 'name'],
  fields: {
    apiGroup: text('The group of the kind; empty for the core group.'),
    kind: text('The kind of the object.'),
    name: text('The name of the object.'),
    namespace: text('The namespace of the object, where it is another one.'),
  },
});

export const volumeResourceRequirements: TSchema = shape({
  name: 'VolumeResourceRequirements',
  description: 'How large a volume must and may be.',
  fields: {
    limits: quantitiesByName('The most of each resource.'),
    requests: quantitiesByName('The least of each resource.'),
  },
});

export const persistentVolumeClaimSpec: TSchema = shape({
  name: 'PersistentVolumeClaimSpec',
  description: 'A claim for storage, as Kubernetes has it.',
  fields: {
    accessModes: atomicListOf(text(''), 'How the volume must be mountable, such as `ReadWriteMany`.'),
    dataSource: of(typedLocalObjectReference, 'What the volume is filled from, in the same namespace.'),
    dataSourceRef: of(typedObjectReference, 'What the volume is filled from.'),
    resources: of(volumeResourceRequirements, 'How large the volume must be.'),
    selector: of(labelSelector, 'Chooses the volume by its labels.'),
    storageClassName: text('The storage class.'),
    volumeAttributesClassName: text('The class of further attributes of the volume.'),
    volumeMode: text('`Filesystem` or `Block`.'),
    volumeName: text('The name of the volume that is claimed.'),
  },
});

export const corePersistentVolumeClaimVolumeSource: TSchema = shape({
  name: 'CorePersistentVolumeClaimVolumeSource',
  description: 'A claim in the same namespace.',
  required: ['claimName'],
  fields: {
    claimName: text('The name of the claim.'),
    readOnly: flag('Whether it is only read.'),
  },
});

const podDNSConfigOption: TSchema = shape({
  name: 'PodDNSConfigOption',
  description: 'An option of the resolver.',
  fields: {
    name: text('The name of the option.'),
    value: text('The value of the option.'),
  },
});

export const podDNSConfig: TSchema = shape({
  name: 'PodDNSConfig',
  description: 'How names are resolved.',
  fields: {
    nameservers: atomicListOf(text(''), 'The addresses of name servers.'),
    options: atomicListOf(podDNSConfigOption, 'Options of the resolver.'),
    searches: atomicListOf(text(''), 'Domains that are tried for short names.'),
  },
});
