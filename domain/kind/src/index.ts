export { defineKind } from './define-kind.ts';
export {
  anyObject,
  atomicListOf,
  choice,
  decimal,
  flag,
  int32,
  int64,
  integer,
  intOrString,
  keyedListOf,
  listOf,
  mapOf,
  of,
  quantitiesByName,
  quantity,
  QUANTITY_PATTERN,
  setOf,
  shape,
  text,
  time,
  type FieldOptions,
  type KeyedList,
  type Shape,
} from './field-builders.ts';
export { complaintsAbout, RULES_NOT_CHECKED, type KindCase } from './kind-case.ts';
export { isNotStructural, KindError, type KindErrorCode } from './kind-error.ts';
export type { KindObject } from './kind-object.ts';
export type { ConditionMeaning, Kind, KindColumn, KindDeclaration, KindVersion, ScalePaths } from './kind.ts';
export { condition, conditions, labelSelector } from './kubernetes-shapes.ts';
export { toStructuralSchema } from './to-structural-schema.ts';
