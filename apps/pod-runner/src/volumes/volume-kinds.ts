import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

/** core/v1 ConfigMap. */
export interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

/** core/v1 Secret; values are base64. */
export interface Secret extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** core/v1 PersistentVolumeClaim, as far as it is read here. */
export interface PersistentVolumeClaim extends KubernetesObject {
  readonly spec: {
    readonly volumeName?: string;
    readonly storageClassName?: string;
    readonly volumeMode?: string;
    readonly accessModes?: readonly string[];
    readonly resources?: { readonly requests?: Readonly<Record<string, number | string>> };
  };
  readonly status?: { readonly phase?: string };
}

/** core/v1 PersistentVolume, as far as it is read and made here. */
export interface PersistentVolume extends KubernetesObject {
  readonly spec: {
    readonly capacity?: Readonly<Record<string, number | string>>;
    readonly accessModes?: readonly string[];
    readonly volumeMode?: string;
    readonly storageClassName?: string;
    readonly persistentVolumeReclaimPolicy?: string;
    readonly hostPath?: { readonly path: string };
    readonly local?: { readonly path: string };
    readonly claimRef?: ClaimReference;
    readonly nodeAffinity?: object;
  };
  readonly status?: { readonly phase?: string };
}

interface ClaimReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
}

/** storage.k8s.io/v1 StorageClass. */
export interface StorageClass extends KubernetesObject {
  readonly provisioner: string;
  readonly volumeBindingMode?: string;
  readonly reclaimPolicy?: string;
}

export const configMapKind: KindReference<ConfigMap> = core('ConfigMap', 'configmaps', true);
export const secretKind: KindReference<Secret> = core('Secret', 'secrets', true);
export const claimKind: KindReference<PersistentVolumeClaim> = core(
  'PersistentVolumeClaim',
  'persistentvolumeclaims',
  true,
);
export const volumeKind: KindReference<PersistentVolume> = core('PersistentVolume', 'persistentvolumes', false);
export const storageClassKind: KindReference<StorageClass> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  isNamespaced: false,
};

function core(kind: string, plural: string, isNamespaced: boolean) {
  return { group: '', version: 'v1', kind, plural, isNamespaced } as const;
}
