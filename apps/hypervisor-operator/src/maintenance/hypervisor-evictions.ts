import type { Eviction, Hypervisor } from '@smalt/fleet-api';

/** The evictions that concern one hypervisor. */
export interface HypervisorEvictions {
  /** The one that was made because of `spec.maintenance`. */
  readonly own: Eviction | undefined;
  /** The one that has the name that ours would have, whoever made it and whatever host it is for. */
  readonly named: Eviction | undefined;
  /** Those for this host that somebody else has made, the oldest first. */
  readonly foreign: readonly Eviction[];
}

/** Tells the evictions of a host apart: `named` is the one of its name, `all` are those that are for it, the oldest first. */
export function hypervisorEvictions(
  hypervisor: Hypervisor,
  named: Eviction | undefined,
  all: readonly Eviction[],
): HypervisorEvictions {
  const own = all.find((eviction) => isOwn(hypervisor, eviction));
  const foreign = all.filter((eviction) => eviction !== own);
  return { own, named, foreign };
}

function isOwn({ metadata: { name, uid } }: Hypervisor, { metadata }: Eviction): boolean {
  const owners = metadata.ownerReferences ?? [];
  return metadata.name === name && owners.some((owner) => owner.controller === true && owner.uid === uid);
}
