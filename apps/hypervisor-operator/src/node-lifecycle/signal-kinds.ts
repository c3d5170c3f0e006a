import type { KindReference } from '@smalt/kubernetes';

import type { DependentObject } from '../dependents/dependent-object.ts';

export const deploymentKind: KindReference<DependentObject> = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  isNamespaced: true,
};

export const podDisruptionBudgetKind: KindReference<DependentObject> = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  isNamespaced: true,
};
