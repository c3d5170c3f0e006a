import type { JsonObject } from '@smalt/json';

import { fillIn, withChild, withItems } from '../edit-object.ts';
import { textAt } from '../read-path.ts';
import { defaultFieldRef } from './default-field-ref.ts';
import { defaultPullPolicy } from './default-pull-policy.ts';

/** 0644, which JSON can only say in decimal. */
const FILE_MODE = 0o644;

const SOURCES: Readonly<Record<string, (source: JsonObject) => JsonObject>> = {
  secret: (source) => fillIn(source, { defaultMode: FILE_MODE }),
  configMap: (source) => fillIn(source, { defaultMode: FILE_MODE }),
  downwardAPI: (source) => withItems(fillIn(source, { defaultMode: FILE_MODE }), 'items', defaultDownwardFile),
  projected: (source) => withItems(fillIn(source, { defaultMode: FILE_MODE }), 'sources', defaultProjection),
  hostPath: (source) => fillIn(source, { type: '' }),
  image: (source) =>
    textAt(source, 'reference') === ''
      ? source
      : fillIn(source, { pullPolicy: defaultPullPolicy(textAt(source, 'reference')) }),
  iscsi: (source) => fillIn(source, { iscsiInterface: 'default' }),
  rbd: (source) => fillIn(source, { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }),
  scaleIO: (source) => fillIn(source, { storageMode: 'ThinProvisioned', fsType: 'xfs' }),
  azureDisk: (source) => fillIn(source, { cachingMode: 'ReadWrite', kind: 'Shared', fsType: 'ext4', readOnly: false }),
  ephemeral: (source) =>
    withChild(source, 'volumeClaimTemplate', (template) =>
      withChild(template, 'spec', (spec) => fillIn(spec, { volumeMode: 'Filesystem' })),
    ),
};

/** Fills in a volume of a pod. One that does not say what it is, is an empty directory. */
export function defaultVolume(volume: JsonObject): JsonObject {
  if (Object.keys(volume).every((name) => name === 'name')) return { ...volume, emptyDir: {} };
  return defaultVolumeSource(volume);
}

/** Fills in the source of a volume, in a pod or in a PersistentVolume. */
export function defaultVolumeSource(volume: JsonObject): JsonObject {
  return Object.entries(SOURCES).reduce((result, [name, change]) => withChild(result, name, change), volume);
}

function defaultDownwardFile(file: JsonObject): JsonObject {
  return withChild(file, 'fieldRef', defaultFieldRef);
}

function defaultProjection(projection: JsonObject): JsonObject {
  return withChild(
    withChild(projection, 'serviceAccountToken', (token) => fillIn(token, { expirationSeconds: 3600 })),
    'downwardAPI',
    (source) => withItems(source, 'items', defaultDownwardFile),
  );
}
