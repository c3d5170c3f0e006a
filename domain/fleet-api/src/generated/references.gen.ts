// Written by 'npm run generate' from domain/fleet-api/kinds. Change the declarations there instead.

import type { KindReference } from '@smalt/kubernetes';

import type { Eviction, Hypervisor, Migration } from './objects.gen.ts';

export const hypervisorKind: KindReference<Hypervisor> = {
  group: 'kvm.cloud.sap',
  version: 'v1',
  kind: 'Hypervisor',
  plural: 'hypervisors',
  isNamespaced: false,
};

export const evictionKind: KindReference<Eviction> = {
  group: 'kvm.cloud.sap',
  version: 'v1',
  kind: 'Eviction',
  plural: 'evictions',
  isNamespaced: false,
};

export const migrationKind: KindReference<Migration> = {
  group: 'kvm.cloud.sap',
  version: 'v1alpha1',
  kind: 'Migration',
  plural: 'migrations',
  isNamespaced: true,
};
