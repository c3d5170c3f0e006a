import { defineKind, type ConditionMeaning, type Kind, type KindColumn } from '@smalt/kind';

import { kubevirtVersions } from './kubevirt-versions.ts';
import { virtualMachineInstanceSpec } from './shapes/virtual-machine-instance-spec.ts';
import { virtualMachineInstanceStatus } from './shapes/virtual-machine-instance-status.ts';

const columns: readonly KindColumn[] = [
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
  { name: 'IP', type: 'string', jsonPath: '.status.interfaces[0].ipAddress' },
  { name: 'NodeName', type: 'string', jsonPath: '.status.nodeName' },
  { name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
  {
    name: 'Live-Migratable',
    type: 'string',
    jsonPath: ".status.conditions[?(@.type=='LiveMigratable')].status",
    priority: 1,
  },
  { name: 'Paused', type: 'string', jsonPath: ".status.conditions[?(@.type=='Paused')].status", priority: 1 },
];

const conditions: readonly ConditionMeaning[] = [
  { type: 'Ready', meaning: 'The guest runs and its readiness probe succeeds.' },
  { type: 'LiveMigratable', meaning: 'It can be moved while it runs. The reason names what prevents it.' },
  { type: 'StorageLiveMigratable', meaning: 'It can be moved together with its disks.' },
  { type: 'Paused', meaning: 'Its processors stand still.' },
  { type: 'AgentConnected', meaning: 'The guest agent answers.' },
  { type: 'AgentVersionNotSupported', meaning: 'The guest agent is too old.' },
  { type: 'AccessCredentialsSynchronized', meaning: 'The credentials are in the guest.' },
  { type: 'Synchronized', meaning: 'False when the domain could not be made as wanted.' },
  { type: 'Provisioning', meaning: 'Its volumes are being filled.' },
  { type: 'DataVolumesReady', meaning: 'Its volumes are filled.' },
  { type: 'HotVCPUChange', meaning: 'Processors are being plugged in or unplugged.' },
  { type: 'HotMemoryChange', meaning: 'Memory is being plugged in or unplugged.' },
  { type: 'VolumesChange', meaning: 'Volumes are moving to other claims.' },
  { type: 'MigrationRequired', meaning: 'It has to move before a change takes effect.' },
  { type: 'EvictionRequested', meaning: 'It has to leave its node.' },
  { type: 'SoftwareEmulation', meaning: 'It runs without hardware virtualization.' },
  { type: 'DecentralizedLiveMigrationFailure', meaning: 'A move between clusters failed.' },
  { type: 'PodScheduled', meaning: 'False while no node can take it.' },
];

/** As in KubeVirt, `status` is no subresource. See docs/decisions/0010-the-kinds-of-kubevirt.md */
export const virtualMachineInstance: Kind = defineKind({
  group: 'kubevirt.io',
  versions: kubevirtVersions,
  kind: 'VirtualMachineInstance',
  plural: 'virtualmachineinstances',
  shortNames: ['vmi', 'vmis'],
  categories: ['all'],
  scope: 'Namespaced',
  description: 'A virtual machine that runs, has run, or is about to.',
  columns,
  conditions,
  spec: virtualMachineInstanceSpec,
  status: virtualMachineInstanceStatus,
  required: ['spec'],
  hasStatus: false,
});
