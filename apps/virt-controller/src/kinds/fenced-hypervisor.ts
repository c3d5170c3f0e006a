import { HypervisorConditionType, hypervisorKind, type Hypervisor } from '@smalt/fleet-api';
import type { Condition, KindReference, KubernetesObject } from '@smalt/kubernetes';

/** A Hypervisor, as far as it tells that its host is off. */
export interface FencedHypervisor extends KubernetesObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export const fencedHypervisorKind: KindReference<FencedHypervisor> = hypervisorKind satisfies KindReference<Hypervisor>;

/** What is kept of a Hypervisor in memory. */
export function slimHypervisor({ apiVersion, kind, metadata, status }: FencedHypervisor): FencedHypervisor {
  const { name, uid, resourceVersion } = metadata;
  const conditions = (status?.conditions ?? []).filter(
    ({ type }) => type === HypervisorConditionType.hypervisorDisabled,
  );
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    status: { conditions },
  };
}
