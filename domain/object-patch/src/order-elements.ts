import { isJsonObject, jsonField, type JsonValue } from '@smalt/json';

import { goTypeText } from './go-type-name.ts';
import { ObjectPatchError } from './object-patch-error.ts';
import { printGoValue } from './print-go-value.ts';

/** The lists from which an order is made. */
export interface ElementOrder {
  /** Items that the patch names, and the order it wants them in. */
  readonly patched: readonly JsonValue[];
  readonly patchOrder: readonly JsonValue[];
  /** Items that only the live object has, and the order they have there. */
  readonly serverOnly: readonly JsonValue[];
  readonly serverOrder: readonly JsonValue[];
}

/** Interleaves patched and other items so that both keep their own order, and the live order as far as that allows. */
export function orderElements(order: ElementOrder, mergeKey: string): readonly JsonValue[] {
  if (mergeKey !== '') {
    for (const list of [order.patched, order.patchOrder, order.serverOnly, order.serverOrder])
      requireMergeKey(list, mergeKey);
  }
  const serverIndex = indexByKey(order.serverOrder, mergeKey);
  const patched = sortBy(order.patched, indexByKey(order.patchOrder, mergeKey), mergeKey);
  const serverOnly = sortBy(order.serverOnly, serverIndex, mergeKey);
  return interleave(serverOnly, patched, (item) => serverIndex.get(identityOf(item, mergeKey)));
}

/** What makes an item the same as another: its merge key's value, or the item itself. */
export function identityOf(item: JsonValue, mergeKey: string): JsonValue | undefined {
  if (mergeKey === '') return item;
  return isJsonObject(item) ? jsonField(item, mergeKey) : undefined;
}

function requireMergeKey(list: readonly JsonValue[], mergeKey: string): void {
  for (const item of list) {
    if (!isJsonObject(item))
      throw new ObjectPatchError('failed', `expected a map[string]interface {}, but received a ${goTypeText(item)}`);
    if (!Object.hasOwn(item, mergeKey)) throw missingMergeKey(item, mergeKey);
  }
}

export function missingMergeKey(item: JsonValue, mergeKey: string): ObjectPatchError {
  return new ObjectPatchError('failed', `map: ${printGoValue(item)} does not contain declared merge key: ${mergeKey}`);
}

function indexByKey(list: readonly JsonValue[], mergeKey: string): Map<JsonValue | undefined, number> {
  const index = new Map<JsonValue | undefined, number>();
  for (const [at, item] of list.entries()) {
    const identity = identityOf(item, mergeKey);
    if (!index.has(identity)) index.set(identity, at);
  }
  return index;
}

function sortBy(
  items: readonly JsonValue[],
  index: ReadonlyMap<JsonValue | undefined, number>,
  mergeKey: string,
): readonly JsonValue[] {
  const ranked = items.map((item) => ({ item, rank: index.get(identityOf(item, mergeKey)) }));
  // An item without a rank goes before whatever stands in front of it: Kubernetes' comparison says so, and only an
  // insertion sort gives such a comparison a meaning.
  for (let end = 1; end < ranked.length; end++) {
    for (let at = end; at > 0; at--) {
      const current = ranked[at];
      const previous = ranked[at - 1];
      if (current === undefined || previous === undefined || !isBefore(current.rank, previous.rank)) break;
      ranked[at] = previous;
      ranked[at - 1] = current;
    }
  }
  return ranked.map(({ item }) => item);
}

function isBefore(left: number | undefined, right: number | undefined): boolean {
  return left === undefined || right === undefined || left < right;
}

function interleave(
  left: readonly JsonValue[],
  right: readonly JsonValue[],
  rank: (item: JsonValue) => number | undefined,
): readonly JsonValue[] {
  const result: JsonValue[] = [];
  let next = 0;
  for (const item of right) {
    const limit = rank(item);
    for (let candidate = left[next]; candidate !== undefined; candidate = left[next]) {
      const position = rank(candidate);
      if (position === undefined || limit === undefined || position >= limit) break;
      result.push(candidate);
      next++;
    }
    result.push(item);
  }
  return [...result, ...left.slice(next)];
}
