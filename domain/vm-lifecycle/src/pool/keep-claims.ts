import type { OwnerReference } from '@smalt/kubernetes';
import type { VirtualMachinePool } from '@smalt/vm-api';

import type { PoolFacts } from './pool-facts.ts';

/** A claim that is to belong to nobody any more who goes. */
export interface ClaimToKeep {
  readonly kind: 'keep-claim';
  readonly name: string;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  /** The uids of the machines that it would go with. */
  readonly owners: readonly string[];
  /** Those that are left. */
  readonly ownerReferences: readonly OwnerReference[];
}

/**
 * The claims that would go with machines of the pool, where it keeps them (`statePreservation`). They are let go of as soon
 * as they are seen: people delete machines too, and then it is too late.
 */
export function claimsToKeep({ pool, machines, claimsOf }: PoolFacts): readonly ClaimToKeep[] {
  if (!keepsClaims(pool)) return [];
  const uids = new Set(machines.map(({ metadata }) => metadata.uid));
  const claims = new Map(machines.flatMap((machine) => claimsOf(machine).map((claim) => [claim.metadata.name, claim])));
  return [...claims.values()].flatMap(({ metadata }) => {
    const { name, uid, resourceVersion, ownerReferences = [] } = metadata;
    const others = ownerReferences.filter((owner) => !uids.has(owner.uid));
    const owners = ownerReferences.flatMap((owner) => (uids.has(owner.uid) ? [owner.uid] : []));
    if (owners.length === 0) return [];
    return [{ kind: 'keep-claim' as const, name, uid, resourceVersion, owners, ownerReferences: others }];
  });
}

/** Memory is not kept, by whatever name: `Online` keeps what `Offline` does. */
function keepsClaims({ spec }: VirtualMachinePool): boolean {
  const { proactive, opportunistic } = spec.scaleInStrategy ?? {};
  const preservation = proactive?.statePreservation ?? opportunistic?.statePreservation;
  return preservation === 'Offline' || preservation === 'Online';
}
