import { defineKind, type ConditionMeaning, type Kind, type KindColumn } from '@smalt/kind';

import { hypervisorSpec, TERMINATION_MESSAGE } from './hypervisor-spec.ts';
import { hypervisorStatus } from './hypervisor-status.ts';

const columns: readonly KindColumn[] = [
  { name: 'Node', type: 'string', jsonPath: '.metadata.name', description: 'The node it stands for.' },
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'State', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
  { name: 'Version', type: 'string', jsonPath: '.status.operatingSystem.prettyVersion' },
  { name: 'Instances', type: 'integer', jsonPath: '.status.numInstances' },
  { name: 'Hardware', type: 'string', jsonPath: '.status.operatingSystem.hardwareModel' },
  { name: 'Kernel', type: 'string', jsonPath: '.status.operatingSystem.kernelRelease' },
  wide('Zone', '.metadata.labels.topology\\.kubernetes\\.io/zone', 2),
  wide('Building Block', '.metadata.labels.kubernetes\\.metal\\.cloud\\.sap/bb', 2),
  wide('Group', '.metadata.labels.worker\\.garden\\.sapcloud\\.io/group', 2),
  wide('Phase', '.status.lifecycleState', 1),
  wide('Taint', '.status.conditions[?(@.type=="Tainted")].message', 1),
  { ...wide('Lifecycle', '.spec.lifecycleEnabled', 1), type: 'boolean' },
  { ...wide('High Availability', '.spec.highAvailability', 1), type: 'boolean' },
  { ...wide('Skip Tests', '.spec.skipTests', 1), type: 'boolean' },
  wide('IP', '.status.internalIp', 1),
  wide('Onboarding', '.status.conditions[?(@.type=="Onboarding")].reason', 3),
  wide('Service ID', '.status.serviceId', 3),
  wide('Hypervisor ID', '.status.hypervisorId', 3),
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

function wide(name: string, jsonPath: string, priority: number): KindColumn {
  return { name, type: 'string', jsonPath, priority };
}

const conditions: readonly ConditionMeaning[] = [
  { type: 'Ready', meaning: 'Instances can be placed here. The reason is the state the host is in.' },
  { type: 'Onboarding', meaning: 'The host is being taken into service. False once that is done or given up.' },
  { type: 'Offboarded', meaning: 'The host has been taken out of service for good.' },
  { type: 'Terminating', meaning: 'The node behind it is going away.' },
  { type: 'Tainted', meaning: 'A person has edited the object by hand.' },
  { type: 'TraitsUpdated', meaning: 'Placement has the wanted traits.' },
  { type: 'AggregatesUpdated', meaning: 'The host is in the wanted aggregates.' },
  { type: 'AgentPodsEvicted', meaning: 'No agent runs on the node any more.' },
  { type: 'HypervisorDisabled', meaning: 'The compute service takes no new instances.' },
  { type: 'Evicting', meaning: 'Instances are being moved away. False once the host is empty.' },
  { type: 'HaEnabled', meaning: 'Instances would be rebuilt elsewhere if the host were lost.' },
  { type: 'libvirtd.service', meaning: 'The unit of libvirt runs.' },
  { type: 'openvswitch-switch.service', meaning: 'The unit of Open vSwitch runs.' },
  { type: 'LibVirtConnection', meaning: 'The node agent talks to libvirt.' },
  { type: 'OperatingSystemUpdate', meaning: 'An update of the operating system runs or has run.' },
  { type: 'TLSCertificateInstalled', meaning: 'The TLS certificate of the host is in place.' },
];

export const hypervisor: Kind = defineKind({
  group: 'kvm.cloud.sap',
  versions: [{ name: 'v1' }],
  kind: 'Hypervisor',
  plural: 'hypervisors',
  shortNames: ['hv'],
  scope: 'Cluster',
  description: 'A host that runs virtual machines. It has the name of its node.',
  columns,
  conditions,
  spec: hypervisorSpec,
  status: hypervisorStatus,
  hasStatus: true,
  rules: [
    {
      // A rule of the spec is not asked when the spec is gone, so leaving it out would lift the freeze.
      rule: "has(self.spec) || !has(oldSelf.spec) || !has(oldSelf.spec.maintenance) || oldSelf.spec.maintenance != 'termination'",
      message: TERMINATION_MESSAGE,
      fieldPath: '.spec',
    },
  ],
});
