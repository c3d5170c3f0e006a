import type { ComputeMove } from '@smalt/compute';

/** The newest move of each instance, from a list in which the newest of each comes first. */
export function newestMoves(moves: readonly ComputeMove[]): ReadonlyMap<string, ComputeMove> {
  const newest = new Map<string, ComputeMove>();
  for (const move of moves) if (!newest.has(move.instanceId)) newest.set(move.instanceId, move);
  return newest;
}

/** Whether a move has not come to its end; one that waits for confirmation has. */
export function isUnderWay(move: ComputeMove | undefined): move is ComputeMove {
  return move !== undefined && (move.state === 'queued' || move.state === 'running');
}
