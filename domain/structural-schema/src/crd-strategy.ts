import type { JsonObject } from '@smalt/json';
import {
  goQuote,
  invalid,
  validateObjectMeta,
  validateObjectMetaUpdate,
  type FieldError,
  type ScaleMapping,
  type Strategy,
} from '@smalt/resource';
import { checkDns1123Subdomain, checkQualifiedName } from '@smalt/kubernetes';

import { metadataTypeProblem } from './check-metadata-types.ts';
import type { CompiledSchema } from './compile-schema.ts';
import { objectAt, textAt, textsAt } from './read-object.ts';
import { validateScaleSpec, validateScaleStatus } from './scale-mapping.ts';

const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);
const FINALIZER_ADVICE = 'to avoid accidental conflicts with other finalizer writers';

/** What a strategy for custom resources has to know of their definition. */
export interface CustomKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
  readonly hasStatus: boolean;
  readonly scale: ScaleMapping | undefined;
  readonly schema: CompiledSchema;
}

/** How custom resources are treated on their way into the store. */
export function crdStrategy(custom: CustomKind): Strategy {
  const { schema, hasStatus, scale } = custom;
  const spec = (object: JsonObject): FieldError[] => (scale === undefined ? [] : validateScaleSpec(object, scale));
  const status = (object: JsonObject): FieldError[] => (scale === undefined ? [] : validateScaleStatus(object, scale));
  const replacing = (object: JsonObject, old: JsonObject, isStatus: boolean): readonly FieldError[] => {
    const wrong = typeErrors(object, custom);
    if (wrong.length > 0) return wrong;
    const before = validateObjectMetaUpdate(objectAt(object, 'metadata'), objectAt(old, 'metadata'));
    const after = isStatus ? status(object) : [...spec(object), ...status(object)];
    return schema.validate(object, { old, isStatus, before, after });
  };
  return {
    default: (object) => schema.default(object),
    prune: (object) => schema.prune(object),
    prepareForCreate: (object) => (hasStatus ? withoutStatus(object) : object),
    prepareForUpdate: (object, old) => (hasStatus ? withStatusOf(object, old) : object),
    validate: (object) => validateNew(object, custom, [...spec(object), ...status(object)]),
    validateUpdate: (object, old) => replacing(object, old, false),
    validateStatusUpdate: (object, old) => replacing(object, old, true),
    warnings: finalizerWarnings,
  };
}

function validateNew(object: JsonObject, custom: CustomKind, after: readonly FieldError[]): readonly FieldError[] {
  const wrong = typeErrors(object, custom);
  if (wrong.length > 0) return wrong;
  const rules = { isNamespaced: custom.isNamespaced, nameRule: checkDns1123Subdomain };
  const before = validateObjectMeta(objectAt(object, 'metadata'), rules);
  return custom.schema.validate(object, { before, after });
}

function typeErrors(object: JsonObject, custom: CustomKind): FieldError[] {
  const errors: FieldError[] = [];
  const [kind, apiVersion] = [textAt(object, 'kind'), textAt(object, 'apiVersion')];
  if (kind !== custom.kind) errors.push(invalid('kind', kind, `must be ${custom.kind}`));
  if (apiVersion !== custom.apiVersion) errors.push(invalid('apiVersion', apiVersion, `must be ${custom.apiVersion}`));
  const problem = metadataTypeProblem(object['metadata'] ?? null);
  if (problem !== undefined) errors.push(invalid('metadata', object['metadata'], problem));
  return errors;
}

function withoutStatus(object: JsonObject): JsonObject {
  if (!Object.hasOwn(object, 'status')) return object;
  const { status: _status, ...rest } = object;
  return rest;
}

function withStatusOf(object: JsonObject, old: JsonObject): JsonObject {
  const status = old['status'];
  return status === undefined ? withoutStatus(object) : { ...object, status };
}

function finalizerWarnings(object: JsonObject): readonly string[] {
  const finalizers = [...new Set(textsAt(objectAt(object, 'metadata'), 'finalizers'))].toSorted();
  return finalizers.flatMap((finalizer) => {
    const start = `metadata.finalizers: ${goQuote(finalizer)}`;
    const warnings = checkQualifiedName(finalizer).map((problem) => `${start}: ${problem}`);
    if (finalizer.includes('/') || STANDARD_FINALIZERS.has(finalizer)) return warnings;
    const path = finalizer.includes('.') ? ' including a path (/)' : '';
    return [...warnings, `${start}: prefer a domain-qualified finalizer name${path} ${FINALIZER_ADVICE}`];
  });
}
