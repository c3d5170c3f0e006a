import type { EvictionLimits } from '@smalt/eviction-plan';

/** How hosts are emptied. */
export interface EvictionSettings {
  /** How many evictions are looked at at a time. */
  readonly concurrency: number;
  readonly limits: EvictionLimits;
  /** How often to look while something moves or waits. */
  readonly pollMs: number;
  /** How soon to look after a move was begun; the time grows with the age of the move, up to `pollMs`. */
  readonly firstLookMs: number;
  /** How often to look at a host that is empty, or whose eviction failed. */
  readonly resyncMs: number;
  /** How long what is known of the host and of possible targets is good for. */
  readonly preflightMs: number;
  /** `strict` begins no move while the others hosts have no room for all; `best-effort` moves those that fit. */
  readonly preflight: 'strict' | 'best-effort';
  /** What becomes of moves under way when the eviction is deleted. */
  readonly onCancel: 'abort' | 'finish';
  /** How long a deleted eviction may wait for its moves to end; for cold ones it waits `coldTimeoutMs` if that is longer. */
  readonly cancelTimeoutMs: number;
  /** How long one look may take. */
  readonly timeoutMs: number;
}

export const defaultEvictionSettings: EvictionSettings = {
  concurrency: 8,
  limits: {
    perHost: 8,
    perTarget: 5,
    overall: 100,
    perTrait: {},
    attempts: 3,
    retryPauseMs: 30_000,
    liveTimeoutMs: 3_600_000,
    coldTimeoutMs: 3_600_000,
    graceMs: 30_000,
    abortTimeoutMs: 300_000,
    busyTimeoutMs: 1_800_000,
    coldMovesOfRunning: 'forbidden',
    lockedInstances: 'move',
  },
  pollMs: 5_000,
  firstLookMs: 1_000,
  resyncMs: 300_000,
  preflightMs: 30_000,
  preflight: 'strict',
  onCancel: 'abort',
  cancelTimeoutMs: 600_000,
  timeoutMs: 120_000,
};
