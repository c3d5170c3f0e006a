import type { JsonObject } from '@smalt/json';

import { fillIn, withChild } from '../edit-object.ts';
import { defaultVolumeSource } from './default-volume.ts';

export function defaultVolumeClaim(claim: JsonObject): JsonObject {
  return withChild(
    withChild(claim, 'spec', (spec) => fillIn(spec, { volumeMode: 'Filesystem' })),
    'status',
    (status) => fillIn(status, { phase: 'Pending' }),
  );
}

export function defaultPersistentVolume(volume: JsonObject): JsonObject {
  return withChild(
    withChild(
      volume,
      'spec',
      (spec) => fillIn(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }),
      defaultVolumeSource,
    ),
    'status',
    (status) => fillIn(status, { phase: 'Pending' }),
  );
}

export function defaultStorageClass(object: JsonObject): JsonObject {
  return fillIn(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
}
