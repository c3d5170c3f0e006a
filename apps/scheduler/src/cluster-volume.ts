import type { ObjectChange } from '@smalt/controller-runtime';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import type { Claim, ClaimedVolume, StorageClass } from '@smalt/placement';

export const claimKind: KindReference<Claim> = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  isNamespaced: true,
};

export const volumeKind: KindReference<ClaimedVolume> = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  isNamespaced: false,
};

export const classKind: KindReference<StorageClass> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  isNamespaced: false,
};

/** What is kept of a claim in memory: its volume and its class. */
export function slimClaim({ apiVersion, kind, metadata, spec }: Claim): Claim {
  const { volumeName, storageClassName } = spec;
  return {
    apiVersion,
    kind,
    metadata: slimMetadata({ metadata }),
    spec: {
      ...(volumeName === undefined ? {} : { volumeName }),
      ...(storageClassName === undefined ? {} : { storageClassName }),
    },
  };
}

/** What is kept of a volume in memory: whose it is, and which nodes reach it. */
export function slimVolume({ apiVersion, kind, metadata, spec }: ClaimedVolume): ClaimedVolume {
  const { nodeAffinity, claimRef } = spec;
  return {
    apiVersion,
    kind,
    metadata: slimMetadata({ metadata }),
    spec: {
      ...(nodeAffinity === undefined ? {} : { nodeAffinity }),
      ...(claimRef?.uid === undefined ? {} : { claimRef: { uid: claimRef.uid } }),
    },
  };
}

/** What is kept of a storage class in memory: when its volumes are made. */
export function slimClass({ apiVersion, kind, metadata, volumeBindingMode }: StorageClass): StorageClass {
  const mode = volumeBindingMode === undefined ? {} : { volumeBindingMode };
  return { apiVersion, kind, metadata: slimMetadata({ metadata }), ...mode };
}

/** Whether a pod that fitted nowhere may fit after this change of its claim or volume. */
export function mayMoveClaim({ old, current }: ObjectChange<Claim> | ObjectChange<ClaimedVolume>): boolean {
  // A claim of which nobody knows, or that leaves, changes the words of the refusal.
  if (old === undefined || current === undefined) return true;
  return old.spec !== current.spec || old.metadata.deletionTimestamp !== current.metadata.deletionTimestamp;
}

function slimMetadata({ metadata }: Pick<KubernetesObject, 'metadata'>): KubernetesObject['metadata'] {
  const { name, namespace, uid, resourceVersion, deletionTimestamp } = metadata;
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
  };
}
