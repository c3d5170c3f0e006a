/** In the order of the one who wrote them; that of the HA agent is the eighth, as the page has it. */
export const CONDITIONS_OF_BEFORE = [
  'Ready',
  'Onboarding',
  'TraitsUpdated',
  'AggregatesUpdated',
  'LibVirtConnection',
  'Tainted',
  'HypervisorDisabled',
  'HaAgent',
] as const;

/** A Hypervisor as the operator and the agent of before have left it. */
export const STATUS_OF_BEFORE: Readonly<Record<string, unknown>> = {
  hypervisorId: 'b1c2',
  serviceId: 'a7',
  numInstances: 1,
  instances: [{ id: 'a-b-c', name: 'instance-1', active: true }],
  libVirtVersion: '10.0.0',
  traits: ['CUSTOM_GPU'],
  conditions: CONDITIONS_OF_BEFORE.map((type) => ({
    type,
    status: 'True',
    reason: 'Succeeded',
    message: `${type} is so`,
    lastTransitionTime: '2026-03-01T12:00:00Z',
  })),
};

/** What people and the programs of before have made. A Migration cannot be made by their definition: it asks for a status first. */
export const OBJECTS_OF_BEFORE = `
apiVersion: v1
kind: Node
metadata: { name: hv1, labels: { nova.openstack.cloud.sap/virt-driver: kvm } }
---
apiVersion: kvm.cloud.sap/v1
kind: Hypervisor
metadata: { name: hv1 }
spec: { lifecycleEnabled: true, highAvailability: true, customTraits: [CUSTOM_GPU], aggregates: [zone-a], maintenance: '' }
---
apiVersion: kvm.cloud.sap/v1
kind: Hypervisor
metadata: { name: hv2 }
spec: { lifecycleEnabled: false, maintenance: manual, maintenanceReason: a new fan }
---
apiVersion: kvm.cloud.sap/v1
kind: Eviction
metadata: { name: hv1 }
spec: { hypervisor: hv1, reason: reboot }
`;
