import type { Schema } from '@smalt/resource';

const TEXT: Schema = { type: 'string' };
const TIME: Schema = { type: 'string', format: 'date-time' };
const TEXT_MAP: Schema = { type: 'object', additionalProperties: TEXT };

/** The metadata that every object has, as a schema. */
export const objectMetaSchema: Schema = {
  type: 'object',
  description: 'What is the same for all objects: their name, labels, owners and history.',
  properties: {
    annotations: { ...TEXT_MAP, description: 'Free text by key, for tools; it cannot be selected by.' },
    creationTimestamp: { ...TIME, description: 'When the object was created. Set by the server.' },
    deletionGracePeriodSeconds: {
      type: 'integer',
      format: 'int64',
      description: 'How long the object may take to go. Set by the server.',
    },
    deletionTimestamp: { ...TIME, description: 'When the object is to be gone. Set by the server.' },
    finalizers: {
      type: 'array',
      items: TEXT,
      'x-kubernetes-list-type': 'set',
      'x-kubernetes-patch-strategy': 'merge',
      description: 'Who still has to do something before a deleted object can go.',
    },
    generateName: { ...TEXT, description: 'What the server makes a unique name from when there is no name.' },
    generation: { type: 'integer', format: 'int64', description: 'Counts the changes of what is wanted.' },
    labels: { ...TEXT_MAP, description: 'Short values by key, which objects are selected by.' },
    managedFields: {
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      description: 'Who set which fields. Kept by the server.',
      items: {
        type: 'object',
        properties: {
          apiVersion: TEXT,
          fieldsType: TEXT,
          fieldsV1: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          manager: TEXT,
          operation: TEXT,
          subresource: TEXT,
          time: TIME,
        },
      },
    },
    name: { ...TEXT, description: 'Unique among the objects of a kind in a namespace. It cannot be changed.' },
    namespace: { ...TEXT, description: 'The space within which the name is unique. It cannot be changed.' },
    ownerReferences: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'uid',
      description: 'The objects this one depends on. When all are gone, so is this one.',
      items: {
        type: 'object',
        required: ['apiVersion', 'kind', 'name', 'uid'],
        'x-kubernetes-map-type': 'atomic',
        properties: {
          apiVersion: TEXT,
          blockOwnerDeletion: { type: 'boolean' },
          controller: { type: 'boolean' },
          kind: TEXT,
          name: TEXT,
          uid: TEXT,
        },
      },
    },
    resourceVersion: { ...TEXT, description: 'Changes with each change of the object. Set by the server.' },
    selfLink: { ...TEXT, description: 'No longer set.' },
    uid: { ...TEXT, description: 'Unique in time and space. Set by the server.' },
  },
};

/** The fields that tell what an object is, as schemas. */
export const typeMetaSchemas: Readonly<Record<'apiVersion' | 'kind', Schema>> = {
  apiVersion: { ...TEXT, description: 'The group and the version that the fields of this object are of.' },
  kind: { ...TEXT, description: 'The kind of thing that this object stands for.' },
};

/** Whether a field of an object or of an embedded one is not of concern to its schema. */
export function isMetaField(name: string): boolean {
  return name === 'metadata' || name === 'apiVersion' || name === 'kind';
}
