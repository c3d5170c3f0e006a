import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

/** core/v1 PersistentVolumeClaim, as far as it is read. */
export interface VolumeClaim extends KubernetesObject {
  readonly spec: {
    readonly accessModes?: readonly string[];
    readonly volumeMode?: string;
    readonly resources?: { readonly requests?: Readonly<Record<string, number | string>> };
  };
  readonly status?: {
    readonly phase?: string;
    readonly accessModes?: readonly string[];
    readonly capacity?: Readonly<Record<string, number | string>>;
  };
}

export const volumeClaimKind: KindReference<VolumeClaim> = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  isNamespaced: true,
};
