import { expect, it } from 'vitest';

import { testHypervisor } from '../fixtures/fleet-objects.ts';
import { evictionDraft } from './eviction-draft.ts';
import { defaultMaintenanceSettings } from './maintenance-settings.ts';

it('makes an eviction that belongs to its hypervisor and is found by the same labels', () => {
  const labels = { 'topology.kubernetes.io/zone': 'a', 'kubernetes.metal.cloud.sap/bb': 'bb1', private: 'yes' };

  const draft = evictionDraft(testHypervisor('n1', { metadata: { labels } }), defaultMaintenanceSettings);

  expect(draft).toEqual({
    metadata: {
      name: 'n1',
      labels: { 'topology.kubernetes.io/zone': 'a', 'kubernetes.metal.cloud.sap/bb': 'bb1' },
      ownerReferences: [
        {
          apiVersion: 'kvm.cloud.sap/v1',
          kind: 'Hypervisor',
          name: 'n1',
          uid: 'uid-of-n1',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: { hypervisor: 'n1', reason: 'openstack-hypervisor-operator maintenance' },
  });
});
