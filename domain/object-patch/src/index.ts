export { applyJsonPatch, findUnknownPatchFields, MAX_JSON_PATCH_OPERATIONS } from './apply-json-patch.ts';
export { applyMergePatch } from './apply-merge-patch.ts';
export { applyStrategicMergePatch } from './apply-strategic-merge-patch.ts';
export { printGoValue } from './print-go-value.ts';
export {
  isMalformedPatch,
  isUnprocessablePatch,
  ObjectPatchError,
  type ObjectPatchErrorCode,
} from './object-patch-error.ts';
