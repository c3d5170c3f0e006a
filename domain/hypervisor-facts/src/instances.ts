import type { Instance } from '@smalt/fleet-api';

/** The instances in the order of the status: those that run first, then by name, then by id. */
export function instances(domains: Iterable<Instance>): readonly Instance[] {
  return [...domains]
    .map(({ id, name, active }) => ({ id, name, active }))
    .toSorted((left, right) => {
      if (left.active !== right.active) return left.active ? -1 : 1;
      return compareText(left.name, right.name) || compareText(left.id, right.id);
    });
}

// By code units, not by locale: the order must be the same on every node.
function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
