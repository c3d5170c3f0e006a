import type { VirtualMachineInstance, VirtualMachineInstanceMigrationState } from '@smalt/vm-api';

/**
 * One end of live migrations. `step` is called in each pass over an instance that is being migrated; it starts, watches
 * or ends what it has to and comes back soon. What goes on by itself asks for another pass when something has changed.
 */
export interface MigrationSide {
  /**
   * What the status of the instance has to say of the migration from now on; undefined when it is no business of this end,
   * and the state as it was when there is nothing to write. `withMigrationState` makes of it the instance to write.
   */
  step(
    instance: VirtualMachineInstance,
    signal: AbortSignal,
  ): Promise<VirtualMachineInstanceMigrationState | undefined>;
  /** Whether the guest is on its way right now, so that nothing else may be done to its domain. */
  isBusy(instance: VirtualMachineInstance): boolean;
}

/** The end that guests leave. */
export interface LeavingSide extends MigrationSide {
  /** Takes in what was written of its last step: what only waited for that goes on at once, and not when its echo comes. */
  onWritten(instance: VirtualMachineInstance): void;
}
