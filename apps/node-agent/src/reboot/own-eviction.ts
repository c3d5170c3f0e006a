import { findCondition } from '@smalt/controller-runtime';
import { EvictionConditionReason, EvictionConditionType, type Eviction, type Hypervisor } from '@smalt/fleet-api';
import type { Draft } from '@smalt/kube';

/** By this text existing tools know an Eviction that a node agent made. */
export const EVICTION_REASON = 'kvm-node-agent: emergency evacuation due to host reboot';

/** How an Eviction stands. */
export type EvictionState =
  | { readonly kind: 'under-way' }
  | { readonly kind: 'going' }
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'failed'; readonly message: string };

/** The Eviction that empties a hypervisor; it goes with the Hypervisor, but is not controlled by it. */
export function evictionOf({ apiVersion, kind, metadata }: Hypervisor): Draft<Eviction> {
  const { name, uid = '' } = metadata;
  return {
    metadata: {
      name,
      ownerReferences: [{ apiVersion, kind, name, uid, controller: false, blockOwnerDeletion: false }],
    },
    spec: { hypervisor: name, reason: EVICTION_REASON },
  };
}

/** Whether an agent made it for a reboot, this one or an earlier run of it. */
export function isMadeByAgent({ spec }: Eviction): boolean {
  return spec?.reason === EVICTION_REASON;
}

export function evictionState({ metadata, status }: Eviction): EvictionState {
  if (metadata.deletionTimestamp !== undefined) return { kind: 'going' };
  const condition = findCondition(status?.conditions, EvictionConditionType.evicting);
  if (condition?.status !== 'False') return { kind: 'under-way' };
  if (condition.reason === EvictionConditionReason.Evicting.succeeded) return { kind: 'succeeded' };
  return condition.reason === EvictionConditionReason.Evicting.failed
    ? { kind: 'failed', message: condition.message }
    : { kind: 'under-way' };
}
