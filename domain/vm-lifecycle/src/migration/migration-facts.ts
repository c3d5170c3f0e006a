import type {
  VirtualMachineInstance,
  VirtualMachineInstanceMigration,
  VirtualMachineInstanceMigrationState,
  VirtualMachineInstanceMigrationStatus,
} from '@smalt/vm-api';

import type { ObservedPod } from '../instance/launcher-pod-state.ts';
import type { ChosenSettings } from './choose-policy.ts';
import type { MigrationSighting } from './migration-sightings.ts';

/** All that the decision about a migration goes by. */
export interface MigrationFacts {
  readonly migration: VirtualMachineInstanceMigration;
  readonly vmi: VirtualMachineInstance | undefined;
  /** The pod that carries the instance now. */
  readonly sourcePod: ObservedPod | undefined;
  /** The pod that is to take it over. */
  readonly targetPod: ObservedPod | undefined;
  /** Whether an older migration of the same instance is not over yet. */
  readonly hasRival: boolean;
  /** Whether it is its turn: see `chooseMigrations`. */
  readonly mayStart: boolean;
  readonly chosen: ChosenSettings;
  /** What went wrong when the last decision was carried out. */
  readonly problem?: { readonly reason: string; readonly message: string };
  /** For how long its phase and its target pod have been seen; nobody's clock on the wall counts. */
  readonly seen: MigrationSighting;
  /** Milliseconds since 1970, to tell times by. */
  readonly now: number;
}

/** What is to be asked of the API. */
export type MigrationAction =
  | { readonly kind: 'create-target-pod' }
  | { readonly kind: 'delete-target-pod'; readonly name: string; readonly uid: string | undefined }
  /** Tells both handlers: written to the status of the instance, with the label that the target's handler looks for. */
  | {
      readonly kind: 'hand-over';
      readonly state: VirtualMachineInstanceMigrationState;
      readonly labels: Readonly<Record<string, string>>;
    }
  /** Tells the handler of the source to stop a migration, which may be an earlier one than this. */
  | { readonly kind: 'request-abort'; readonly migrationUid: string | undefined }
  | { readonly kind: 'remove-finalizer' };

export interface MigrationEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface MigrationDecision {
  readonly actions: readonly MigrationAction[];
  readonly status: VirtualMachineInstanceMigrationStatus;
  readonly event?: MigrationEvent;
  readonly requeueAfterMs?: number;
}
