export { applyConfiguration, type ApplyRequest } from './apply-configuration.ts';
export { type Endpoint } from './endpoint.ts';
export {
  differenceOf,
  type FieldSet,
  fieldSetOfPaths,
  hasPath,
  intersectionOf,
  isEmptySet,
  leavesOf,
  pathsOf,
  unionOf,
} from './field-set.ts';
export { keepTimestamps } from './keep-timestamps.ts';
export {
  type FieldConflict,
  isApplyConflict,
  ManagedFieldsError,
  type ManagedFieldsErrorCode,
} from './managed-fields-error.ts';
export { managerOf } from './manager-of.ts';
export { parseFieldSet } from './parse-field-set.ts';
export { recordUpdate, type UpdateRequest } from './record-update.ts';
export { fromScaleManagedFields, type ReplicasPaths, toScaleManagedFields } from './scale-managed-fields.ts';
export { validateManagedFields } from './validate-managed-fields.ts';
