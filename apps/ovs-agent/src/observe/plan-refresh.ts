/** A daemon is asked for a twentieth of the time at most. */
const REST_PER_WORK = 20;
const LONGEST_REST_MS = 120_000;
/** What was not answered is asked for again after so long. */
const AGAIN_MS = 1_000;

/** Everything, or what was not answered. */
export type RefreshScope = 'all' | 'unanswered';

/** What came of a refresh: everything was answered, something was not, or there was nobody to ask. */
export type RefreshOutcome = 'answered' | 'gaps' | 'nobody';

export interface RefreshResult {
  readonly outcome: RefreshOutcome;
  /** How long ovs-vswitchd took to answer. */
  readonly workMs: number;
}

/** How long ovs-vswitchd is left in peace after a refresh. Time-outs are no work of its: they say nothing about that. */
export function restAfter({ outcome, workMs }: RefreshResult, restMs: number): number {
  return outcome === 'answered' ? Math.min(LONGEST_REST_MS, workMs * REST_PER_WORK) : restMs;
}

export interface RefreshFacts {
  readonly outcome: RefreshOutcome;
  readonly refreshMs: number;
  readonly restMs: number;
  /** How long ago everything was asked for. */
  readonly ageMs: number;
}

/** When to refresh again if nothing happens, and what. One who is not there is looked for by others. */
export function planRefresh({ outcome, refreshMs, restMs, ageMs }: RefreshFacts): {
  readonly scope: RefreshScope;
  readonly inMs: number;
} {
  const inMs = Math.max(0, Math.max(refreshMs, restMs) - ageMs);
  return outcome === 'gaps' && inMs > AGAIN_MS ? { scope: 'unanswered', inMs: AGAIN_MS } : { scope: 'all', inMs };
}
