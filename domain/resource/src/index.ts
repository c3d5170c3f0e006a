export type { FieldError, FieldErrorReason } from './field-error.ts';
export { formatFieldError, formatFieldErrorBody, invalidCauses, invalidMessage } from './format-field-error.ts';
export { goJson, goNumber, goQuote, goStructJson } from './go-text.ts';
export {
  duplicate,
  forbidden,
  internalError,
  invalid,
  notFound,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from './make-field-error.ts';
export type { Column, DeclaredVersions, OtherSubresource, Resource, ScaleMapping, Strategy, Verb } from './resource.ts';
export type { GroupVersionKind, Schema, ValidationRule } from './schema.ts';
export { validateFieldManager } from './validate-field-manager.ts';
export { validateFinalizers, validateManagedFields, validateOwnerReferences } from './validate-object-meta-lists.ts';
export { resourceVersionRequired, validateObjectMetaUpdate } from './validate-object-meta-update.ts';
export {
  validateAnnotations,
  validateLabels,
  validateObjectMeta,
  type ObjectMetaRules,
} from './validate-object-meta.ts';
