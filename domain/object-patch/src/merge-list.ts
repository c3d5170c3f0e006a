import { isJsonObject, jsonField, type JsonObject, type JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';

import { goTypeName } from './go-type-name.ts';
import { ObjectPatchError } from './object-patch-error.ts';
import { identityOf, missingMergeKey, orderElements } from './order-elements.ts';
import type { PatchMetadata } from './patch-metadata.ts';
import { printGoValue } from './print-go-value.ts';
import { DIRECTIVE, removeNulls } from './remove-directives.ts';

export type MergeObject = (object: JsonObject, patch: JsonObject, schema: Schema) => JsonObject;

export interface ListMerge extends PatchMetadata {
  /** Whether the patch lists what is to go. */
  readonly isDeletion: boolean;
  /** How items that are objects are merged. */
  readonly mergeObject: MergeObject;
}

/** Merges two lists as the strategy says: by merge key, as a set of primitives, or by taking the patch's. */
export function mergeList(
  list: readonly JsonValue[],
  patch: readonly JsonValue[],
  merge: ListMerge,
): readonly JsonValue[] {
  if (merge.strategy !== 'merge' && !merge.isDeletion) return patch.map(removeNulls);
  if (list.length === 0 && patch.length === 0) return list;
  if (elementType(list, patch) === 'object') return mergeObjectList(list, patch, merge);
  if (merge.isDeletion) {
    const removed = new Set(patch);
    return list.filter((item) => !removed.has(item));
  }
  return arrange([...new Set([...list, ...patch])], patch, list, '');
}

/** The type that all items share. */
export function elementType(list: readonly JsonValue[], patch: readonly JsonValue[]): string {
  const types = new Set([...list, ...patch].map(goTypeName));
  const [type] = types;
  if (type === undefined) throw new ObjectPatchError('failed', 'no elements in any of the given slices');
  if (type === 'array') throw new ObjectPatchError('unprocessable', 'lists of lists are not supported');
  if (types.size > 1) {
    const text = `[${printGoValue(list)} ${printGoValue(patch)}]`;
    throw new ObjectPatchError('failed', `list element types are not identical: ${text}`);
  }
  return type;
}

/** Puts merged items in order; those that stand in `patchOrder` follow it, the rest the order they had. */
export function arrange(
  merged: readonly JsonValue[],
  patchOrder: readonly JsonValue[],
  serverOrder: readonly JsonValue[],
  mergeKey: string,
): readonly JsonValue[] {
  const named = new Set(patchOrder.map((item) => identityOf(item, mergeKey)));
  const patched: JsonValue[] = [];
  const serverOnly: JsonValue[] = [];
  for (const item of merged) (named.has(identityOf(item, mergeKey)) ? patched : serverOnly).push(item);
  return orderElements({ patched, patchOrder, serverOnly, serverOrder }, mergeKey);
}

function mergeObjectList(
  list: readonly JsonValue[],
  patch: readonly JsonValue[],
  merge: ListMerge,
): readonly JsonValue[] {
  const { mergeKey } = merge;
  if (mergeKey === '') throw new ObjectPatchError('failed', 'cannot merge lists without merge key for struct');

  const { items, patches } = obeyDirectives(list, patch, mergeKey);
  const merged = [...items];
  const position = new Map<JsonValue | undefined, number>();
  for (const [at, item] of merged.entries()) {
    const identity = identityOf(item, mergeKey);
    if (identity !== undefined && !position.has(identity)) position.set(identity, at);
  }
  for (const item of patches) {
    const identity = jsonField(item, mergeKey);
    if (identity === undefined) throw missingMergeKey(item, mergeKey);
    const at = position.get(identity);
    const current = at === undefined ? undefined : merged[at];
    if (at !== undefined && isJsonObject(current)) {
      merged[at] = merge.mergeObject(current, item, merge.schema);
    } else {
      position.set(identity, merged.length);
      merged.push(removeNulls(item));
    }
  }
  return arrange(merged, patches, items, mergeKey);
}

interface Prepared {
  readonly items: readonly JsonValue[];
  readonly patches: readonly JsonObject[];
}

function obeyDirectives(list: readonly JsonValue[], patch: readonly JsonValue[], mergeKey: string): Prepared {
  const patches: JsonObject[] = [];
  const deleted = new Set<JsonValue>();
  let isReplaced = false;
  for (const item of patch) {
    if (!isJsonObject(item)) continue;
    const directive = jsonField(item, DIRECTIVE);
    if (directive === undefined) {
      patches.push(item);
    } else if (directive === 'delete') {
      const identity = jsonField(item, mergeKey);
      if (identity === undefined) throw missingMergeKey(item, mergeKey);
      deleted.add(identity);
    } else if (directive === 'replace') {
      isReplaced = true;
    } else {
      throw badDirective(directive, item);
    }
  }
  if (isReplaced) return { items: patches.map(removeNulls), patches: [] };
  const items = list.filter((item) => !deleted.has(identityOf(item, mergeKey) ?? item));
  return { items, patches };
}

function badDirective(directive: JsonValue, item: JsonObject): ObjectPatchError {
  const text = `unknown patch type: ${printGoValue(directive)} in map: ${printGoValue(item)}`;
  return new ObjectPatchError(
    'failed',
    directive === 'merge' ? 'merging lists cannot yet be specified in the patch' : text,
  );
}
