import type { Clock, WakeUp } from '@smalt/controller-runtime';

/** So long a change of a bond waits for what ovs-vswitchd says about it, so that one write tells both. */
const ANSWER_MS = 25;
/** When a bond has changed it is asked for again: members come back after a delay that no row tells of. */
const LOOKS_MS: readonly number[] = [0, 500, 2_000];

export interface BondLoopParts {
  readonly clock: Clock;
  /** Rings when something about a bond has changed. */
  readonly due: WakeUp;
  readonly ask: (signal: AbortSignal) => Promise<void>;
  readonly onAsked: () => void;
}

/** Asks what became of the bonds whenever something about one has changed, and a few times after that. */
export async function keepAskingBonds({ clock, due, ask, onAsked }: BondLoopParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await due.wait(Infinity, signal);
    for (const [index, pauseMs] of LOOKS_MS.entries()) {
      if (index > 0) await due.wait(pauseMs, signal);
      if (signal.aborted) return;
      const asking = ask(signal);
      await Promise.race([asking, clock.wait(ANSWER_MS, signal).catch(() => undefined)]);
      onAsked();
      await asking;
      onAsked();
    }
  }
}
