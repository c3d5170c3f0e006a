import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

/** coordination.k8s.io/v1 Lease. */
export interface Lease extends KubernetesObject {
  readonly spec: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

export const leaseKind: KindReference<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  isNamespaced: true,
};
