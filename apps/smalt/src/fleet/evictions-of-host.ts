import type { Eviction } from '@smalt/fleet-api';

/** All evictions of a host, whoever made them and however they are called; the one that the operator goes by first. */
export function evictionsOfHost(evictions: Iterable<Eviction>, host: string): readonly Eviction[] {
  return Array.from(evictions)
    .filter(({ spec }) => spec?.hypervisor === host)
    .toSorted((one, other) => compare(orderOf(one), orderOf(other)));
}

/** Whether maintenance of the host has ordered it, which orders it again when it is deleted. */
export function isOfMaintenance({ metadata }: Eviction): boolean {
  return metadata.ownerReferences?.some(({ kind }) => kind === 'Hypervisor') === true;
}

// The oldest leads; one that is being deleted does not.
function orderOf({ metadata }: Eviction): string {
  const isGoing = metadata.deletionTimestamp !== undefined;
  return `${isGoing ? 1 : 0} ${metadata.creationTimestamp ?? ''} ${metadata.name}`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
