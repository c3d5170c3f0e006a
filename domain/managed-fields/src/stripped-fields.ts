import { type FieldSet, fieldSetOfPaths } from './field-set.ts';

/** Fields that nobody is said to own: they name the object, or the server alone sets them. */
export const STRIPPED_FIELDS: FieldSet = fieldSetOfPaths([
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ['metadata', 'name'],
  ['metadata', 'namespace'],
  ['metadata', 'creationTimestamp'],
  ['metadata', 'selfLink'],
  ['metadata', 'uid'],
  ['metadata', 'clusterName'],
  ['metadata', 'generation'],
  ['metadata', 'managedFields'],
  ['metadata', 'resourceVersion'],
]);
