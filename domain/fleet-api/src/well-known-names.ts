/** The modes of maintenance, the values of a Hypervisor's `spec.maintenance`. */
export const MaintenanceMode = {
  unset: '',
  manual: 'manual',
  auto: 'auto',
  ha: 'ha',
  termination: 'termination',
} as const;
export type MaintenanceMode = (typeof MaintenanceMode)[keyof typeof MaintenanceMode];

/** The resources that capacities, allocations and overcommit ratios are given for. */
export const ResourceName = {
  /** Cores, whole ones only. */
  cpu: 'cpu',
  /** Bytes. */
  memory: 'memory',
} as const;
export type ResourceName = (typeof ResourceName)[keyof typeof ResourceName];

/** Labels, annotations, taints and conditions of nodes that mean something to the fleet. */
export const WellKnownName = {
  virtDriverLabel: 'nova.openstack.cloud.sap/virt-driver',
  lifecycleLabel: 'cobaltcore.cloud.sap/node-hypervisor-lifecycle',
  aggregatesAnnotation: 'nova.openstack.cloud.sap/aggregates',
  customTraitsAnnotation: 'nova.openstack.cloud.sap/custom-traits',
  offboardingTaint: 'kvm.cloud.sap/offboarding',
  maintenanceControllerLabel: 'cobaltcore-maintenance-controller',
  terminatingNodeCondition: 'Terminating',
  testAggregate: 'tenant_filter_tests',
} as const;
