import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

/** The part of core/v1 Secret that is read here. */
export interface Secret extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

export const secretKind: KindReference<Secret> = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  isNamespaced: true,
};
