import { atomicListOf, flag, integer, mapOf, of, quantity, shape, text, time } from '@smalt/kind';
import type { TSchema } from 'typebox';

import { migrationConfiguration } from './migration-configuration.ts';

const virtualMachineInstanceMigrationSourceState: TSchema = shape({
  name: 'VirtualMachineInstanceMigrationSourceState',
  description: 'The source of a migration.',
  fields: {
    domainName: text('The name of the domain.'),
    domainNamespace: text('The namespace of the domain.'),
    migrationUID: text('The id of the migration object there.'),
    node: text('The node.'),
    nodeSelectors: mapOf(text(''), 'Labels that the target must have.'),
    persistentStatePVCName: text('The claim that holds the state of its devices.'),
    pod: text('The launcher.'),
    selinuxContext: text('Its SELinux context.'),
    syncAddress: text('The address by which both sides keep in step.'),
    virtualMachineInstanceUID: text('The id of the instance there.'),
  },
});

const virtualMachineInstanceMigrationTargetState: TSchema = shape({
  name: 'VirtualMachineInstanceMigrationTargetState',
  description: 'The target of a migration.',
  fields: {
    attachmentPodUID: text('The id of the pod that holds plugged-in volumes.'),
    cpuSet: atomicListOf(integer(''), 'The processors of the host that were set aside.'),
    directMigrationNodePorts: mapOf(integer(''), 'The ports that memory is sent to.'),
    domainDetected: flag('Whether the domain is there.'),
    domainName: text('The name of the domain.'),
    domainNamespace: text('The namespace of the domain.'),
    domainReadyTimestamp: time('When the domain was there.'),
    migrationUID: text('The id of the migration object there.'),
    node: text('The node.'),
    nodeAddress: text('The address of the node.'),
    nodeTopology: text('The processors and NUMA cells of the node.'),
    persistentStatePVCName: text('The claim that holds the state of its devices.'),
    pod: text('The launcher.'),
    selinuxContext: text('Its SELinux context.'),
    syncAddress: text('The address by which both sides keep in step.'),
    virtualMachineInstanceUID: text('The id of the instance there.'),
  },
});

export const virtualMachineInstanceMigrationState: TSchema = shape({
  name: 'VirtualMachineInstanceMigrationState',
  description: 'How far a migration is.',
  fields: {
    abortRequested: flag('Whether it is to be given up.'),
    abortStatus: text('How giving up went: `Aborting`, `Succeeded` or `Failed`.'),
    completed: flag('Whether it is over.'),
    endTimestamp: time('When it was over.', { nullable: true }),
    failed: flag('Whether it failed.'),
    failureReason: text('Why it failed.'),
    migrationConfiguration: of(migrationConfiguration, 'How it is done.'),
    migrationNetworkType: text('The network that is used: `Pod` or `Migration`.'),
    migrationPolicyName: text('The policy that applies.'),
    migrationUid: text('The id of the migration object.'),
    mode: text('`PreCopy`, `PostCopy` or `Paused`.'),
    sourceNode: text('The node it leaves.'),
    sourcePersistentStatePVCName: text('The claim that holds the state of its devices at the source.'),
    sourcePod: text('The launcher it leaves.'),
    sourceState: of(virtualMachineInstanceMigrationSourceState, 'The source.'),
    startTimestamp: time('When it began.', { nullable: true }),
    targetAttachmentPodUID: text('The id of the pod that holds plugged-in volumes at the target.'),
    targetCPUSet: atomicListOf(integer(''), 'The processors of the target that were set aside.'),
    targetDirectMigrationNodePorts: mapOf(integer(''), 'The ports that memory is sent to.'),
    targetMemoryOverhead: quantity('The memory that the target sets aside beside that of the guest.'),
    targetNode: text('The node it goes to.'),
    targetNodeAddress: text('The address of the node it goes to.'),
    targetNodeDomainDetected: flag('Whether the domain is there.'),
    targetNodeDomainReadyTimestamp: time('When the domain was there.'),
    targetNodeTopology: text('The processors and NUMA cells of the target.'),
    targetPersistentStatePVCName: text('The claim that holds the state of its devices at the target.'),
    targetPod: text('The launcher it goes to.'),
    targetState: of(virtualMachineInstanceMigrationTargetState, 'The target.'),
  },
});
