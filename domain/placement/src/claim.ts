import type { KubernetesObject } from '@smalt/kubernetes';
import type { NodeSelector } from '@smalt/vm-api';

/** core/v1 PersistentVolumeClaim, as far as placement reads it. */
export interface Claim extends KubernetesObject {
  readonly spec: { readonly volumeName?: string; readonly storageClassName?: string };
}

/** core/v1 PersistentVolume, as far as placement reads it. */
export interface ClaimedVolume extends KubernetesObject {
  readonly spec: {
    /** The nodes that can reach it; all when there is none. */
    readonly nodeAffinity?: { readonly required?: NodeSelector };
    readonly claimRef?: { readonly uid?: string };
  };
}

/** storage.k8s.io/v1 StorageClass, as far as placement reads it. */
export interface StorageClass extends KubernetesObject {
  readonly volumeBindingMode?: string;
}
