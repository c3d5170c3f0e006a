import type { Clock } from '@smalt/controller-runtime';

import type { DaemonWatch } from './daemon-watch.ts';

/** How often a daemon that does not answer is looked for. */
const LOOK_MS = 1_000;
/** How often one that answers is asked for a sign of life: it may hang although its connection is open. */
const PROBE_MS = 2_000;
/** A daemon is asked for a twentieth of the time at most. */
const REST_PER_WORK = 20;

export interface LookOptions {
  readonly daemon: Pick<DaemonWatch, 'isInDoubt' | 'check'>;
  /** Whether one that seems well is asked, too; not where somebody else does so. */
  readonly isProbed: boolean;
  readonly clock: Clock;
}

/** Notices within a second that a daemon has died or is back, and within two seconds and a time-out that it hangs. */
export async function keepLooking({ daemon, isProbed, clock }: LookOptions, signal: AbortSignal): Promise<void> {
  let probeAt = clock.monotonic() + PROBE_MS;
  while (!signal.aborted) {
    await clock.wait(LOOK_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
    const startedAt = clock.monotonic();
    if (!daemon.isInDoubt && !(isProbed && startedAt >= probeAt)) continue;
    await daemon.check(signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    const endedAt = clock.monotonic();
    // Half a look earlier, because looks are never quite in time.
    probeAt = endedAt + Math.max(PROBE_MS - LOOK_MS / 2, (endedAt - startedAt) * REST_PER_WORK);
  }
}
