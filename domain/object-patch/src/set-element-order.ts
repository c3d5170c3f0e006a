import { isJsonArray, isJsonObject, jsonField, type JsonObject, type JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';

import { goTypeText } from './go-type-name.ts';
import { type MutableObject } from './mutable-object.ts';
import { arrange, elementType, type MergeObject, mergeList } from './merge-list.ts';
import { ObjectPatchError } from './object-patch-error.ts';
import { identityOf, missingMergeKey } from './order-elements.ts';
import { lookUpList } from './patch-metadata.ts';
import { printGoValue } from './print-go-value.ts';
import { DIRECTIVE, removeDirectives } from './remove-directives.ts';

export const SET_ELEMENT_ORDER = '$setElementOrder';

export interface ElementOrders {
  /** The object so far; ordered lists are put into it. */
  readonly result: MutableObject;
  readonly patch: JsonObject;
  readonly schema: Schema;
  readonly mergeObject: MergeObject;
}

/** Merges the lists whose order the patch gives, and returns the patch without them. */
export function setElementOrders({ result, patch, schema, mergeObject }: ElementOrders): JsonObject {
  const names = Object.keys(patch).filter((name) => name.startsWith(SET_ELEMENT_ORDER));
  if (names.length === 0) return patch;

  const rest: MutableObject = { ...patch };
  for (const key of names) {
    const order = jsonField(patch, key);
    delete rest[key];
    const name = orderTarget(key);
    if (!isJsonArray(order)) throw notAList(order);
    const ordered = mergeInOrder({ result, patch: rest, schema, mergeObject }, name, order);
    if (ordered === undefined) continue;
    result[name] = ordered;
    delete rest[name];
  }
  return rest;
}

function orderTarget(key: string): string {
  if (!key.startsWith(`${SET_ELEMENT_ORDER}/`)) throw badOrder();
  return key.slice(SET_ELEMENT_ORDER.length + 1);
}

function mergeInOrder(
  { result, patch, schema, mergeObject }: ElementOrders,
  name: string,
  order: readonly JsonValue[],
): readonly JsonValue[] | undefined {
  const current = listField(result, name);
  const patched = listField(patch, name);
  const metadata = lookUpList(schema, name);
  requireSameOrder(patched ?? [], order, metadata.mergeKey);

  if (current === undefined && patched === undefined) return undefined;
  const merged =
    current === undefined || patched === undefined
      ? (current ?? listOf(removeDirectives(patched ?? [])))
      : mergeList(current, patched, { ...metadata, isDeletion: false, mergeObject });
  elementType(current ?? [], patched ?? []);
  return arrange(merged, order, serverOrder(current ?? [], patched ?? [], metadata.mergeKey), metadata.mergeKey);
}

/**
 * The order of the live list. Where items are deleted, as many new ones count as if they had stood at its end: Kubernetes
 * puts those in the places that became free.
 */
function serverOrder(
  current: readonly JsonValue[],
  patch: readonly JsonValue[],
  mergeKey: string,
): readonly JsonValue[] {
  if (mergeKey === '') return current;
  const directives = new Map(patch.map((item) => [identityOf(item, mergeKey), directiveOf(item)]));
  if ([...directives.values()].includes('replace')) return current;
  const kept = current.filter((item) => directives.get(identityOf(item, mergeKey)) !== 'delete');
  const known = new Set(kept.map((item) => identityOf(item, mergeKey)));
  const added = patch.filter((item) => directiveOf(item) === undefined && !known.has(identityOf(item, mergeKey)));
  return [...kept, ...added.slice(0, current.length - kept.length)];
}

function directiveOf(item: JsonValue): JsonValue | undefined {
  return isJsonObject(item) ? jsonField(item, DIRECTIVE) : undefined;
}

function listField(object: Readonly<Record<string, JsonValue>>, name: string): readonly JsonValue[] | undefined {
  const value = jsonField(object, name);
  if (value === undefined || isJsonArray(value)) return value;
  throw notAList(value);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : [];
}

/** What the patch lists must stand in the same order in the order list, which may hold more. */
function requireSameOrder(patch: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string): void {
  if (order.length === 0 || patch.length === 0) return;
  const items = mergeKey === '' ? patch : patch.filter((item) => directiveOf(item) !== 'delete');
  let at = 0;
  for (const expected of order) {
    while (directiveOf(items[at] ?? null) !== undefined) at++;
    const item = items[at];
    if (item === undefined) return;
    if (requiredIdentity(item, mergeKey) === requiredIdentity(expected, mergeKey)) at++;
  }
  if (at < items.length) {
    const lists = `patch list:\n${printGoValue(patch)}\n doesn't match ${SET_ELEMENT_ORDER} list:\n${printGoValue(order)}\n`;
    throw new ObjectPatchError('failed', `The order in ${lists}`);
  }
}

function requiredIdentity(item: JsonValue, mergeKey: string): JsonValue {
  const identity = identityOf(item, mergeKey);
  if (identity === undefined) throw missingMergeKey(item, mergeKey);
  return identity;
}

function badOrder(): ObjectPatchError {
  return new ObjectPatchError('malformed', 'invalid patch format of setElementOrder list');
}

function notAList(value: JsonValue | undefined): ObjectPatchError {
  return new ObjectPatchError('failed', `expected a []interface {}, but received a ${goTypeText(value)}`);
}
