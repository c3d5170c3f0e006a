import { MigrationAbortStatus, type MigrationMode, type VirtualMachineInstanceMigrationState } from '@smalt/vm-api';

/** How a migration ended, as its source has found out. */
export type SourceOutcome =
  | { readonly kind: 'moved' }
  | { readonly kind: 'stayed'; readonly reason: string }
  /** It can run nowhere any more, and was ended. */
  | { readonly kind: 'lost'; readonly reason: string };

export interface EndedMigration {
  readonly outcome: SourceOutcome;
  readonly mode: MigrationMode | undefined;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
}

/** The state of a migration that is over. */
export function endedState(
  state: VirtualMachineInstanceMigrationState,
  { outcome, mode, endedAt }: EndedMigration,
): VirtualMachineInstanceMigrationState {
  const { failureReason: _, ...rest } = state;
  const wasAsked = state.abortRequested === true;
  const over = {
    ...rest,
    completed: true,
    endTimestamp: timeText(endedAt),
    ...(mode === undefined ? {} : { mode }),
  };
  switch (outcome.kind) {
    case 'moved':
      return { ...over, ...(wasAsked ? { abortStatus: MigrationAbortStatus.failed } : {}) };
    case 'stayed':
      return {
        ...over,
        failed: true,
        failureReason: outcome.reason,
        ...(wasAsked ? { abortStatus: MigrationAbortStatus.succeeded } : {}),
      };
    case 'lost':
      return { ...over, failed: true, failureReason: outcome.reason };
  }
}

/** Kubernetes' times have no fractions of seconds. */
export function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/u, 'Z');
}
