/** What a launcher knows at one moment. */
export interface LauncherFacts {
  /** Whether the guest has processes now. */
  readonly isPopulated: boolean;
  /** Whether it had some at any time. */
  readonly hasSeenGuest: boolean;
  /** How long ago the launcher was told to end; undefined when it was not. */
  readonly terminatingForMs: number | undefined;
  readonly gracePeriodMs: number;
}

export type LauncherStep =
  /** Until something changes, or for so long. */
  | { readonly kind: 'wait'; readonly forMs: number }
  | { readonly kind: 'end'; readonly why: string }
  | { readonly kind: 'kill-guest' };

/**
 * Decides what a launcher does next. Without a guest it waits as long as its pod lives: guests are made by others, who
 * say what keeps them from it.
 */
export function decideLauncher(facts: LauncherFacts): LauncherStep {
  const { isPopulated, hasSeenGuest, terminatingForMs, gracePeriodMs } = facts;
  if (!isPopulated && hasSeenGuest) return { kind: 'end', why: 'the guest has ended' };
  if (terminatingForMs === undefined) return { kind: 'wait', forMs: Infinity };
  if (!isPopulated) return { kind: 'end', why: 'told to end, and there is no guest' };
  const leftMs = gracePeriodMs - terminatingForMs;
  return leftMs > 0 ? { kind: 'wait', forMs: leftMs } : { kind: 'kill-guest' };
}
