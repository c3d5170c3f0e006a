import type { KindReference } from '@smalt/kubernetes';

import type { DependentObject } from '../dependents/dependent-object.ts';

export const certificateKind: KindReference<DependentObject> = {
  group: 'cert-manager.io',
  version: 'v1',
  kind: 'Certificate',
  plural: 'certificates',
  isNamespaced: true,
};
