import { systemClock } from '@smalt/controller-runtime';

import type { ServiceClock } from '../ports/service-clock.ts';

/** The clock of a process: the wall clock's time at the start, and steady from then on. */
export function systemServiceClock(): ServiceClock {
  const start = systemClock.now() - systemClock.monotonic();
  return {
    now: () => Math.round(start + systemClock.monotonic()),
    wallNow: () => systemClock.now(),
    wait: (milliseconds, signal) => waitOrReason(milliseconds, signal),
  };
}

async function waitOrReason(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await systemClock.wait(milliseconds, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
