import { HypervisorConditionReason, HypervisorConditionType } from '@smalt/fleet-api';
import type { Node } from '@smalt/placement';
import { WellKnownName } from '@smalt/vm-api';
import type { FenceProof } from '@smalt/vm-lifecycle';

import type { FencedHypervisor } from '../kinds/fenced-hypervisor.ts';

/** What the HA service begins its conditions with: those of others, such as of maintenance, prove nothing. */
const WORDS_OF_HA = 'high availability:';

/**
 * What proves that a node was off: the annotation that is set on its Node when it is declared dead, and the condition of
 * its Hypervisor by which the HA service says so. Both are written only after the power was read back as off.
 */
export function readFenceProofs(
  nodeName: string,
  node: Node | undefined,
  hypervisor: FencedHypervisor | undefined,
): readonly FenceProof[] {
  const disabled = hypervisor?.status?.conditions?.find(
    ({ type, status, reason, message }) =>
      type === HypervisorConditionType.hypervisorDisabled &&
      status === 'True' &&
      reason === HypervisorConditionReason.HypervisorDisabled.succeeded &&
      message.startsWith(WORDS_OF_HA),
  );
  const times = [node?.metadata.annotations?.[WellKnownName.fencedAtAnnotation], disabled?.lastTransitionTime];
  return times.flatMap((text) => {
    const offAt = text === undefined ? Number.NaN : Date.parse(text);
    return Number.isNaN(offAt) ? [] : [{ nodeName, offAt }];
  });
}
