import type { AnyCondition, ConditionMeaning } from '../../parts/condition-words.ts';
import type { Machine } from './machine.ts';

/** What the conditions of machines and instances mean. */
export const MACHINE_CONDITIONS: Readonly<Record<string, ConditionMeaning>> = {
  Ready: { yes: 'Ready', no: 'Not ready', wanted: 'True' },
  LiveMigratable: { yes: 'Can be live-migrated', no: 'Cannot be live-migrated', wanted: 'True' },
  StorageLiveMigratable: { yes: 'Its disks can be live-migrated', no: 'Its disks cannot be live-migrated' },
  Paused: { yes: 'Paused', no: 'Not paused', wanted: 'False' },
  AgentConnected: { yes: 'The guest agent answers', no: 'The guest agent does not answer' },
  Synchronized: { yes: 'Runs as its spec says', no: 'Does not run as its spec says', wanted: 'True' },
  Provisioning: { yes: 'Volumes are being prepared', no: 'Volumes are prepared', wanted: 'False' },
  DataVolumesReady: { yes: 'Volumes are ready', no: 'Volumes are not ready', wanted: 'True' },
  PodScheduled: { yes: 'A host was found', no: 'No host was found', wanted: 'True' },
  SoftwareEmulation: { yes: 'Its processors are emulated, which is slow', no: 'Its processors are those of the host' },
  EvictionRequested: { yes: 'It has to leave its host', no: 'It may stay on its host', wanted: 'False' },
  MigrationRequired: { yes: 'A change waits for a migration', no: 'No change waits for a migration', wanted: 'False' },
  HotVCPUChange: { yes: 'Processors are being added', no: 'No processors are being added' },
  HotMemoryChange: { yes: 'Memory is being added', no: 'No memory is being added' },
  VolumesChange: { yes: 'Volumes are being changed', no: 'No volumes are being changed' },
  Failure: { yes: 'Something failed', no: 'Nothing failed', wanted: 'False' },
  RestartRequired: { yes: 'A change waits for a restart', no: 'No change waits for a restart', wanted: 'False' },
  ManualRecoveryRequired: { yes: 'Somebody has to recover it', no: 'Nobody has to recover it', wanted: 'False' },
};

/** Those of the machine and of what runs of it; where both have one, the instance knows better. */
export function conditionsOf({ virtualMachine, instance }: Machine): readonly AnyCondition[] {
  const ofInstance = instance?.status?.conditions ?? [];
  const ofMachine = virtualMachine?.status?.conditions ?? [];
  const types = new Set(ofInstance.map(({ type }) => type));
  return [...ofInstance, ...ofMachine.filter(({ type }) => !types.has(type))];
}
