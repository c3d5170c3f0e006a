import { isFinalPhase, type VirtualMachineInstance, type VirtualMachineInstanceReplicaSet } from '@smalt/vm-api';

import { decideClaims, type Claims } from '../claims/decide-claims.ts';

/** Which instances a replica set has, takes and lets go of. One that has ended is not taken: it would only be deleted. */
export function claimInstances(
  replicaSet: VirtualMachineInstanceReplicaSet,
  instances: readonly VirtualMachineInstance[],
): Claims<VirtualMachineInstance> {
  const { selector, template } = replicaSet.spec;
  const set = { owner: replicaSet, selector, templateLabels: template.metadata?.labels };
  return decideClaims(set, instances, ({ status }) => !isFinalPhase(status?.phase));
}
