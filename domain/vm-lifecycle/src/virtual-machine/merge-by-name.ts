import { isSameJson } from '@smalt/json';

import { bare } from './bare.ts';

interface Named {
  readonly name: string;
}

export interface ListVersions<T extends Named> {
  /** As the template was when the guest was last brought in line with it. */
  readonly started: readonly T[] | undefined;
  /** As the template is now. */
  readonly wanted: readonly T[] | undefined;
  /** As the instance has it: the template's, filled in by admission. */
  readonly current: readonly T[] | undefined;
}

/**
 * Carries a change of a list into an instance. What admission has filled in or added stays; what the template has
 * dropped goes.
 */
export function mergeByName<T extends Named>({ started, wanted, current }: ListVersions<T>): readonly T[] | undefined {
  if (isSameJson(bare(started ?? []), bare(wanted ?? []))) return current;
  const before = byName(started);
  const after = byName(wanted);
  const merged = (current ?? []).flatMap((item) => {
    const old = before.get(item.name);
    const next = after.get(item.name);
    if (next === undefined) return old === undefined ? [item] : [];
    return old !== undefined && isSameJson(bare(old), bare(next)) ? [item] : [{ ...item, ...next }];
  });
  const known = byName(current);
  return [...merged, ...[...after.values()].filter(({ name }) => !known.has(name))];
}

function byName<T extends Named>(items: readonly T[] | undefined): ReadonlyMap<string, T> {
  return new Map((items ?? []).map((item) => [item.name, item]));
}
