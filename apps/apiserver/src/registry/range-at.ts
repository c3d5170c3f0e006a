import type { Store } from '../store/store.ts';
import type { StoredObject } from '../store/stored-object.ts';

export interface KeyRange {
  readonly from: string;
  readonly to: string | undefined;
}

/**
 * The objects in a range of keys as they were at a resourceVersion, or as they are now without one. Undefined when the
 * past does not reach back so far.
 */
export function rangeAt(
  store: Store,
  resource: string,
  range: KeyRange,
  resourceVersion: number | undefined,
): readonly StoredObject[] | undefined {
  const current = store.range(resource, range.from, range.to);
  if (resourceVersion === undefined) return current;
  const before = store.changesSince(resource, resourceVersion);
  if (before === undefined || before.size === 0) return before === undefined ? undefined : current;
  const unchanged = current.filter((object) => !before.has(object.key));
  const changed = [...before.values()].filter((object) => object !== undefined && isWithin(range, object.key));
  return [...unchanged, ...changed.filter((object) => object !== undefined)].toSorted(byKey);
}

function isWithin(range: KeyRange, key: string): boolean {
  return key >= range.from && (range.to === undefined || key < range.to);
}

function byKey(left: StoredObject, right: StoredObject): number {
  if (left.key === right.key) return 0;
  return left.key < right.key ? -1 : 1;
}
