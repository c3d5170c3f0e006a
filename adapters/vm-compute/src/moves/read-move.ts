import { MoveState, type ComputeMove } from '@smalt/compute';
import {
  MigrationAbortStatus,
  MigrationPhase as Phase,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@smalt/vm-api';
import { isFinalMigration } from '@smalt/vm-lifecycle';

import { instanceIdOf, printKey } from '../instances/instance-key.ts';
import type { NotedRelocation } from '../relocation-notes.ts';

const COLD_STATES = { open: MoveState.running, done: MoveState.succeeded, failed: MoveState.failed } as const;

/** What a migration object says of the move that it is, with the instance as it is now. */
export function readLiveMove(
  migration: VirtualMachineInstanceMigration,
  vmi: VirtualMachineInstance | undefined,
): ComputeMove {
  const { metadata, status } = migration;
  const state = status?.migrationState;
  const phase = status?.phase ?? Phase.unset;
  const transitions = (status?.phaseTransitionTimestamps ?? []).flatMap((each) => each.phaseTransitionTimestamp ?? []);
  return {
    id: printKey(metadata),
    instanceId: vmi ? instanceIdOf(vmi) : instanceKeyOf(migration),
    isLive: true,
    isResize: false,
    state: liveState(phase, state?.abortStatus),
    stateText: phase === '' ? 'Pending' : phase,
    // One that is over without having begun left no trace of where its instance was.
    sourceName: state?.sourceNode ?? (isFinalMigration(migration) ? undefined : vmi?.status?.nodeName),
    targetName: state?.targetNode,
    startedAt: metadata.creationTimestamp,
    updatedAt: transitions.toSorted().at(-1) ?? metadata.creationTimestamp,
  };
}

/** Where the instance is that a migration is of. */
export function instanceKeyOf({ metadata, spec }: VirtualMachineInstanceMigration): string {
  return printKey({ ...metadata, name: spec.vmiName ?? '' });
}

/** What a note on a machine says of its move to another node by way of a restart. */
export function readColdMove({ relocation, instanceId, state, text, targetName }: NotedRelocation): ComputeMove {
  const { id, source, startedAt } = relocation;
  // It did come up again, but nobody kept it from its old host.
  const isBack = state === 'done' && targetName === source;
  return {
    id,
    instanceId,
    isLive: false,
    isResize: false,
    state: isBack ? MoveState.failed : COLD_STATES[state],
    stateText: isBack ? `it was started on ${source} again: disable that host first` : text,
    sourceName: source,
    targetName,
    startedAt,
    updatedAt: startedAt,
  };
}

function liveState(phase: string, abortStatus: string | undefined): MoveState {
  switch (phase) {
    case Phase.succeeded:
      return MoveState.succeeded;
    case Phase.failed:
      return abortStatus === MigrationAbortStatus.succeeded ? MoveState.aborted : MoveState.failed;
    case Phase.unset:
    case Phase.pending:
    case Phase.scheduling:
    case Phase.scheduled:
      return MoveState.queued;
    default:
      return MoveState.running;
  }
}

/** The moves that began or changed since then, the newest of each instance first. */
export function newestMoves(moves: readonly ComputeMove[], since: Date): readonly ComputeMove[] {
  // Times in objects are whole seconds.
  const from = Math.floor(since.getTime() / 1_000) * 1_000;
  return moves
    .filter((move) => isOpen(move) || Math.max(timeOf(move.startedAt), timeOf(move.updatedAt)) >= from)
    .toSorted((one, other) => timeOf(other.startedAt) - timeOf(one.startedAt));
}

function timeOf(text: string | undefined): number {
  return Date.parse(text ?? '') || 0;
}

function isOpen({ state }: ComputeMove): boolean {
  return state === MoveState.queued || state === MoveState.running;
}
