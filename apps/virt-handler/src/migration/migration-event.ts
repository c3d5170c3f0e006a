import type { VirtualMachineInstance } from '@smalt/vm-api';

/** What people are told about a migration, beside its state. */
export interface MigrationEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: 'Migrating' | 'Migrated' | 'PreparingTarget';
  readonly message: string;
}

/** Tells of something that happened to an instance; never fails. */
export type TellEvent = (instance: VirtualMachineInstance, event: MigrationEvent) => void;
