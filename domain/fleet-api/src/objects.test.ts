import type { KindObject } from '@smalt/kind';
import { expect, expectTypeOf, it } from 'vitest';

import type { Hypervisor, HypervisorSpec } from './generated/objects.gen.ts';
import { evictionKind, hypervisorKind, migrationKind } from './generated/references.gen.ts';

it('knows the type of the objects of a kind', () => {
  expectTypeOf<KindObject<typeof hypervisorKind>>().toEqualTypeOf<Hypervisor>();
  expectTypeOf<Hypervisor['spec']>().toEqualTypeOf<HypervisorSpec | undefined>();
  expectTypeOf<HypervisorSpec['aggregates']>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<HypervisorSpec['maintenance']>().toEqualTypeOf<
    '' | 'manual' | 'auto' | 'ha' | 'termination' | undefined
  >();
});

it('knows where the objects of a kind are found', () => {
  const places = [hypervisorKind, evictionKind, migrationKind].map(
    ({ group, version, plural, isNamespaced }) => `${group}/${version} ${isNamespaced ? 'namespaced ' : ''}${plural}`,
  );

  expect(places).toEqual([
    'kvm.cloud.sap/v1 hypervisors',
    'kvm.cloud.sap/v1 evictions',
    'kvm.cloud.sap/v1alpha1 namespaced migrations',
  ]);
});
