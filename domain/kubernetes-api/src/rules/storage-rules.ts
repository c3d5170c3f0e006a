import { isSameJson, type JsonObject } from '@smalt/json';
import { compareQuantities, parseQuantity, quantitySign } from '@smalt/quantity';
import { forbidden, invalid, notSupported, required, type FieldError } from '@smalt/resource';

import { messageType } from '../catalog.ts';
import {
  csiNodeColumns,
  persistentVolumeClaimColumns,
  persistentVolumeColumns,
  storageClassColumns,
  volumeAttachmentColumns,
} from '../columns/storage-columns.ts';
import { defaultPersistentVolume, defaultStorageClass, defaultVolumeClaim } from '../defaults/default-storage.ts';
import { withoutField } from '../edit-object.ts';
import { isGivenAt, objectAt, textAt, textsAt } from '../read-path.ts';
import { checkUnchanged, checkWord } from '../validation/check-field.ts';
import type { KindRules } from './kind-rules.ts';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const VOLUME_MODES = ['Block', 'Filesystem'];
const CLAIM_IS_FIXED =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

export const persistentVolumeClaimRules: KindRules = {
  columns: persistentVolumeClaimColumns,
  default: defaultVolumeClaim,
  validate: (claim) => validateClaimSpec(objectAt(claim, 'spec')),
  validateUpdate: (claim, old) => {
    if (!isSameJson(fixedSpec(claim, old), fixedSpec(old, old))) return [forbidden('spec', CLAIM_IS_FIXED)];
    return validateGrowth(claim, old);
  },
};

export const persistentVolumeRules: KindRules = {
  columns: persistentVolumeColumns,
  default: defaultPersistentVolume,
  validate: (volume) => validateVolumeSpec(objectAt(volume, 'spec')),
  validateUpdate: (volume, old) => {
    const isSame = isSameJson(sourceOf(objectAt(volume, 'spec')), sourceOf(objectAt(old, 'spec')));
    return isSame
      ? []
      : [forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation')];
  },
};

export const storageClassRules: KindRules = {
  columns: storageClassColumns,
  default: defaultStorageClass,
  validate: (object) => [
    ...(textAt(object, 'provisioner') === '' ? [required('provisioner')] : []),
    ...checkWord(object, 'reclaimPolicy', '', ['Delete', 'Retain']),
    ...checkWord(object, 'volumeBindingMode', '', ['Immediate', 'WaitForFirstConsumer']),
  ],
  validateUpdate: (object, old) => [
    ...forbidChange(object, old, 'parameters', 'updates to parameters are forbidden.'),
    ...forbidChange(object, old, 'provisioner', 'updates to provisioner are forbidden.'),
    ...checkUnchanged(object, old, 'reclaimPolicy'),
    ...checkUnchanged(object, old, 'volumeBindingMode'),
  ],
};

export const csiNodeRules: KindRules = { columns: csiNodeColumns };

export const volumeAttachmentRules: KindRules = {
  columns: volumeAttachmentColumns,
  validate: (object) => [
    ...(textAt(object, 'spec', 'attacher') === '' ? [required('spec.attacher')] : []),
    ...(textAt(object, 'spec', 'nodeName') === '' ? [required('spec.nodeName')] : []),
  ],
  validateUpdate: (object, old) =>
    isSameJson(object['spec'], old['spec']) ? [] : [invalid('spec', object['spec'], 'field is immutable')],
};

function validateClaimSpec(spec: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [...validateModes(spec)];
  const size = textAt(spec, 'resources', 'requests', 'storage');
  if (size === '') errors.push(required('spec.resources[storage]'));
  else if (quantitySign(parseQuantity(size)) <= 0) {
    errors.push(invalid('spec.resources[storage]', size, 'must be greater than zero'));
  }
  return errors;
}

function validateModes(spec: JsonObject): readonly FieldError[] {
  const modes = textsAt(spec, 'accessModes');
  const errors: FieldError[] = [];
  if (modes.length === 0) errors.push(required('spec.accessModes', 'at least 1 access mode is required'));
  for (const mode of modes.filter((word) => !ACCESS_MODES.includes(word))) {
    errors.push(notSupported('spec.accessModes', mode, ACCESS_MODES));
  }
  if (modes.includes('ReadWriteOncePod') && modes.length > 1) {
    errors.push(forbidden('spec.accessModes', 'may not use ReadWriteOncePod with other access modes'));
  }
  const volumeMode = textAt(spec, 'volumeMode');
  if (volumeMode !== '' && !VOLUME_MODES.includes(volumeMode)) {
    errors.push(notSupported('spec.volumeMode', volumeMode, VOLUME_MODES));
  }
  return errors;
}

function validateVolumeSpec(spec: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [...validateModes(spec)];
  if (Object.keys(objectAt(spec, 'capacity')).length === 0) errors.push(required('spec.capacity'));
  const [first, ...others] = Object.keys(sourceOf(spec));
  if (first === undefined) errors.push(required('spec', 'must specify a volume type'));
  for (const name of others) errors.push(forbidden(`spec.${name}`, 'may not specify more than 1 volume type'));
  return errors;
}

function sourceOf(spec: JsonObject): JsonObject {
  const known = messageType('core', 'PersistentVolumeSource').byName;
  return Object.fromEntries(Object.entries(spec).filter(([name]) => known.has(name)));
}

/** What of a claim may not change. The volume is filled in once, by whoever binds it. */
function fixedSpec(claim: JsonObject, old: JsonObject): JsonObject {
  const isUnbound = textAt(old, 'spec', 'volumeName') === '';
  return ['resources', 'volumeAttributesClassName', ...(isUnbound ? ['volumeName', 'storageClassName'] : [])].reduce(
    (spec, name) => withoutField(spec, name),
    objectAt(claim, 'spec'),
  );
}

function validateGrowth(claim: JsonObject, old: JsonObject): readonly FieldError[] {
  const size = textAt(claim, 'spec', 'resources', 'requests', 'storage');
  const before = textAt(old, 'spec', 'resources', 'requests', 'storage');
  if (size === '' || before === '' || !isGivenAt(old, 'status', 'capacity')) return [];
  const isSmaller = compareQuantities(parseQuantity(size), parseQuantity(before)) < 0;
  return isSmaller ? [forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity')] : [];
}

function forbidChange(object: JsonObject, old: JsonObject, name: string, detail: string): readonly FieldError[] {
  return isSameJson(object[name] ?? null, old[name] ?? null) ? [] : [forbidden(name, detail)];
}
