import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

/** apps/v1 ControllerRevision: a spec as it was at some generation. */
export interface ControllerRevision extends KubernetesObject {
  readonly revision: number;
  readonly data?: unknown;
}

export const controllerRevisionKind: KindReference<ControllerRevision> = {
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  isNamespaced: true,
};
