import type { Eviction, Hypervisor } from '@smalt/fleet-api';
import type { Draft } from '@smalt/kube';

import type { MaintenanceSettings } from './maintenance-settings.ts';

/** The Eviction that is made because of `spec.maintenance`; it goes with its hypervisor. */
export function evictionDraft(
  { apiVersion, kind, metadata }: Hypervisor,
  { evictionReason, transferLabels }: MaintenanceSettings,
): Draft<Eviction> {
  const { name, uid = '', labels = {} } = metadata;
  const owner = { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
  const kept = Object.entries(labels).filter(([key]) => transferLabels.includes(key));
  return {
    metadata: { name, labels: Object.fromEntries(kept), ownerReferences: [owner] },
    spec: { hypervisor: name, reason: evictionReason },
  };
}
