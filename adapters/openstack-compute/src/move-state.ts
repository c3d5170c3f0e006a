import { MoveState } from '@smalt/compute';

const STATES = new Map<string, MoveState>([
  ['accepted', MoveState.queued],
  ['queued', MoveState.queued],
  ['preparing', MoveState.running],
  ['pre-migrating', MoveState.running],
  ['migrating', MoveState.running],
  ['running', MoveState.running],
  ['post-migrating', MoveState.running],
  ['finished', MoveState.unconfirmed],
  ['confirming', MoveState.running],
  ['confirmed', MoveState.succeeded],
  ['completed', MoveState.succeeded],
  ['done', MoveState.succeeded],
  ['reverting', MoveState.running],
  ['reverted', MoveState.aborted],
  ['cancelling', MoveState.running],
  ['cancelled', MoveState.aborted],
  ['failed', MoveState.failed],
  ['error', MoveState.failed],
]);

/** How a migration stands. A word that newer Novas may have is taken for one that is not over. */
export function moveState(status: string): MoveState {
  return STATES.get(status) ?? MoveState.running;
}

/** Whether nothing more will come of a move. */
export function isMoveOver(state: MoveState): boolean {
  return state === MoveState.succeeded || state === MoveState.failed || state === MoveState.aborted;
}
