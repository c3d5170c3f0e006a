import type { HostIdentity } from './compute-host.ts';

/** How a move stands. Only its record tells: an instance may look arrived while its move still runs. */
export const MoveState = {
  queued: 'queued',
  running: 'running',
  /** A cold move that waits for confirmation. */
  unconfirmed: 'unconfirmed',
  succeeded: 'succeeded',
  failed: 'failed',
  aborted: 'aborted',
} as const;
export type MoveState = (typeof MoveState)[keyof typeof MoveState];

export interface ComputeMove {
  readonly id: string;
  readonly instanceId: string;
  readonly isLive: boolean;
  /** Whether its owner changes its size with it: then it is his to confirm. */
  readonly isResize: boolean;
  readonly state: MoveState;
  /** The words of the compute system for it. */
  readonly stateText: string;
  readonly sourceName: string | undefined;
  readonly targetName: string | undefined;
  /** RFC 3339. */
  readonly startedAt: string | undefined;
  readonly updatedAt: string | undefined;
}

/** How much of a live move has been sent; zeros before it has begun to send. */
export interface MoveProgress {
  readonly totalBytes: number;
  readonly sentBytes: number;
  readonly leftBytes: number;
}

export interface ComputeMoves {
  /** The moves away from a host that began or changed since then, the newest of each instance first. */
  list(host: HostIdentity, since: Date, signal: AbortSignal): Promise<readonly ComputeMove[]>;
  progress(move: ComputeMove, signal: AbortSignal): Promise<MoveProgress | undefined>;
  /** Asks for a move while it runs; the compute system chooses the target. Answers before the move has begun. */
  startLive(instanceId: string, signal: AbortSignal): Promise<void>;
  /** Asks for a move of an instance that stands still, or that may be stopped for it. */
  startCold(instanceId: string, signal: AbortSignal): Promise<void>;
  /** Says that a cold move may stay. One that needs it no longer is no failure. */
  confirm(instanceId: string, signal: AbortSignal): Promise<void>;
  /** Stops a move that runs or waits. One that is over already is no failure. */
  abort(move: ComputeMove, signal: AbortSignal): Promise<void>;
}
