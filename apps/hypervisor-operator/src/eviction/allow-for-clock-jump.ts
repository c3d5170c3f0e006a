import type { RememberedInstance } from '@smalt/eviction-plan';

/** What both clocks said at one moment: the one that people set, and the one that nobody can. */
export interface ClockReading {
  readonly now: number;
  readonly monotonic: number;
}

/** Less than this is an honest difference. */
const LEAST_JUMP_MS = 5_000;

/**
 * The memories with their times moved along if the clock was set since the last look: that must not make moves old, or
 * young.
 */
export function allowForClockJump(
  remembered: readonly RememberedInstance[],
  before: ClockReading | undefined,
  now: ClockReading,
): readonly RememberedInstance[] {
  if (before === undefined) return remembered;
  const jumpMs = now.now - before.now - (now.monotonic - before.monotonic);
  if (Math.abs(jumpMs) < LEAST_JUMP_MS) return remembered;
  return remembered.map((memory) => {
    const since = Date.parse(memory.since ?? '');
    return Number.isNaN(since) ? memory : { ...memory, since: new Date(since + jumpMs).toISOString() };
  });
}
