import { HIGH_AVAILABILITY_WORDS, HypervisorConditionReason, HypervisorConditionType } from '@smalt/fleet-api';
import type { Node } from '@smalt/placement';
import { fenceProofOf, type FenceProof } from '@smalt/vm-lifecycle';

import type { FencedHypervisor } from '../kinds/fenced-hypervisor.ts';

/**
 * What proves that a node was off: the annotation that is set on its Node when it is declared dead, and the condition of
 * its Hypervisor by which the HA service says so. Both are written only after the power was read back as off. The second names
 * no boot, so it counts for nothing where the Node is missing: nothing shows then whether the host has lived since.
 */
export function readFenceProofs(
  nodeName: string,
  node: Node | undefined,
  hypervisor: FencedHypervisor | undefined,
): readonly FenceProof[] {
  if (node === undefined) return [];
  const disabled = hypervisor?.status?.conditions?.find(
    ({ type, status, reason, message }) =>
      type === HypervisorConditionType.hypervisorDisabled &&
      status === 'True' &&
      reason === HypervisorConditionReason.HypervisorDisabled.succeeded &&
      message.startsWith(HIGH_AVAILABILITY_WORDS),
  );
  const noted = fenceProofOf(node);
  const offAt = Date.parse(disabled?.lastTransitionTime ?? '');
  return [...(noted === undefined ? [] : [noted]), ...(Number.isNaN(offAt) ? [] : [{ nodeName, offAt }])];
}
