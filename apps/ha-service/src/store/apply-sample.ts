/** What one source has said of one host, in one and the same time. */
export interface SignalTimes {
  readonly aliveAt: number | null;
  readonly deadSince: number | null;
  readonly deadAt: number | null;
}

export interface TimedSample {
  readonly kind: 'alive' | 'dead';
  readonly at: number;
}

const NOTHING: SignalTimes = { aliveAt: null, deadSince: null, deadAt: null };

/**
 * What is known after a sample; undefined when it is no news. Life is later than death at the same moment. Life in the midst of
 * a row of statements of death leaves only the last of them.
 */
export function applySample(known: SignalTimes | undefined, { kind, at }: TimedSample): SignalTimes | undefined {
  const before = known ?? NOTHING;
  const { aliveAt, deadSince, deadAt } = before;
  if (aliveAt !== null && aliveAt >= at) return undefined;
  if (kind === 'dead') {
    if (deadAt !== null && deadAt >= at) return undefined;
    return { aliveAt, deadSince: deadSince ?? at, deadAt: at };
  }
  if (deadAt === null || at >= deadAt) return { ...NOTHING, aliveAt: at };
  return { aliveAt: at, deadSince: deadSince !== null && at >= deadSince ? deadAt : deadSince, deadAt };
}

/** The same with nothing in the future, where times are from before a clock was set back. */
export function clampTimes({ aliveAt, deadSince, deadAt }: SignalTimes, now: number): SignalTimes {
  const clamp = (at: number | null): number | null => (at === null ? null : Math.min(at, now));
  return { aliveAt: clamp(aliveAt), deadSince: clamp(deadSince), deadAt: clamp(deadAt) };
}
