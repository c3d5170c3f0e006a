import type { Host } from './host.ts';
import type { Server } from './server.ts';

/** The record of a move from one host to another. */
export interface Move {
  readonly id: number;
  /** The consumer that holds what the server had on its old host while it moves. */
  readonly uuid: string;
  readonly server: Server;
  readonly type: 'live-migration' | 'migration' | 'evacuation';
  readonly source: Host;
  destination: Host | undefined;
  status: string;
  readonly createdAt: string;
  updatedAt: string | undefined;
  /** When it began to send, in milliseconds since 1970. */
  runningSince: number | undefined;
  /** How long it is to run. */
  readonly durationMs: number;
  readonly isStuck: boolean;
  /** Whether the target of an evacuation has accepted it. */
  isClaimed?: boolean;
  /** From when on it is listed, in milliseconds since 1970; from the beginning if there is no time. */
  readonly listedFrom?: number | undefined;
}

const OVER = new Set(['completed', 'failed', 'error', 'cancelled', 'confirmed', 'reverted', 'done']);
const LIVE_STATUSES = new Set(['queued', 'preparing', 'running', 'post-migrating']);

export function isOver({ status }: Move): boolean {
  return OVER.has(status);
}

/** Whether Nova lists it among the moves of its server that are under way. */
export function isInProgress({ type, status }: Move): boolean {
  return type === 'live-migration' && LIVE_STATUSES.has(status);
}

export function setMoveStatus(move: Move, status: string): void {
  move.status = status;
  move.updatedAt = new Date().toISOString();
}

/** How much of the memory has been sent by now. */
export function sentShare(move: Move): number {
  if (move.runningSince === undefined) return 0;
  const share = move.durationMs === 0 ? 1 : (Date.now() - move.runningSince) / move.durationMs;
  return Math.min(share, move.isStuck ? 0.5 : 1);
}
