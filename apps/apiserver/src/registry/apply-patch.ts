import { isJsonObject, printJson, type JsonObject, type JsonValue } from '@smalt/json';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  findUnknownPatchFields,
  ObjectPatchError,
} from '@smalt/object-patch';
import { invalid, type Schema } from '@smalt/resource';

import {
  badRequestError,
  invalidError,
  unclassifiedError,
  unprocessablePatchError,
} from '../errors/make-status-error.ts';
import { StatusError } from '../errors/status-error.ts';
import { reportProblems, strictProblems } from './accept-object.ts';
import type { Patch } from './patch.ts';
import type { PrunedObject } from './prune-object.ts';
import type { WriteContext } from './write-context.ts';

/** A patch that changes an object rather than says what it should be. */
export type ChangePatch = Exclude<Patch, { readonly kind: 'apply' }>;

export interface Patchable {
  readonly schema: Schema;
  /** Drops what the schema does not know, and names it. */
  readonly prune: (object: JsonObject) => PrunedObject;
}

/** The object after the patch, without unknown fields. Throws a StatusError when the patch cannot be carried out. */
export function applyPatch(
  patchable: Patchable,
  live: JsonObject,
  patch: ChangePatch,
  context: WriteContext,
): JsonObject {
  const patched = patchedObject(patchable.schema, live, patch);
  const pruned = patchable.prune(patched);
  if (pruned.misfit !== undefined) throw refusedPatch(patch, patched, pruned.misfit);
  const problems = [
    ...patchProblems(patch, context.duplicateFields),
    ...strictProblems(pruned.unknownFields, patch.kind === 'json' ? [] : context.duplicateFields),
  ];
  if (problems.length > 0) reportProblems(problems, context, (why) => refusedPatch(patch, patched, why));
  return pruned.object;
}

/** What is odd about the operations themselves. */
function patchProblems(patch: ChangePatch, duplicateFields: readonly string[]): readonly string[] {
  if (patch.kind !== 'json') return [];
  const duplicates = strictProblems([], duplicateFields).map((problem) => `json patch ${problem}`);
  return [...duplicates, ...findUnknownPatchFields(patch.body)];
}

function patchedObject(schema: Schema, live: JsonObject, patch: ChangePatch): JsonObject {
  try {
    switch (patch.kind) {
      case 'json':
        return applyJsonPatch(live, patch.body);
      case 'merge':
        return applyMergePatch(live, patch.body);
      case 'strategic':
        return applyStrategicMergePatch(live, patch.body, schema);
    }
  } catch (error) {
    if (!(error instanceof ObjectPatchError)) throw error;
    throw refusal(error);
  }
}

function refusal(error: ObjectPatchError): StatusError {
  switch (error.code) {
    case 'malformed':
      return badRequestError(error.message, { cause: error });
    case 'unprocessable':
      return unprocessablePatchError({ cause: error });
    case 'too-large':
      return new StatusError({ code: 413, reason: 'RequestEntityTooLarge', message: error.message }, { cause: error });
    case 'failed':
      return unclassifiedError(error.message, { cause: error });
  }
}

function refusedPatch(patch: ChangePatch, patched: JsonObject, why: string): StatusError {
  const shown = patch.kind === 'strategic' ? printGo(patch.body) : printJson(patched);
  return invalidError({ group: '', kind: '' }, '', [invalid('patch', shown, why)]);
}

/** A value as Go prints it: `map[a:1 b:[x y]]`. */
function printGo(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => printGo(item)).join(' ')}]`;
  if (!isJsonObject(value)) return typeof value === 'string' ? value : printJson(value);
  const names = Object.keys(value).toSorted();
  return `map[${names.map((name) => `${name}:${printGo(value[name] ?? null)}`).join(' ')}]`;
}
