import type { Ignore } from '@smalt/service-runtime';

import type { ServiceClock } from '../ports/service-clock.ts';
import type { Power, PowerReport } from './power.ts';
import type { PowerCheckSettings } from './power-settings.ts';

/** How long to wait before looking again when there is nothing to do. */
const IDLE_MS = 10_000;

export interface PowerWatchDeps {
  readonly power: Pick<Power, 'checkReachable'>;
  readonly settings: () => PowerCheckSettings;
  readonly hosts: () => readonly string[];
  readonly clock: ServiceClock;
  readonly ignore: Ignore;
  /** Is told how each host's ways answered; empty for a host that has none. */
  readonly onReports: (host: string, reports: readonly PowerReport[]) => void;
}

/**
 * Reads the power of all hosts over and over, evenly over the interval, so that a management controller that does not
 * answer is known before its host dies. Ends with the reason of the signal.
 */
export async function watchPower(deps: PowerWatchDeps, signal: AbortSignal): Promise<void> {
  const running = new Set<Promise<void>>();
  try {
    await checkForEver(deps, running, signal);
  } finally {
    await Promise.all(running);
  }
}

async function checkForEver(deps: PowerWatchDeps, running: Set<Promise<void>>, signal: AbortSignal): Promise<never> {
  for (;;) {
    const { intervalMs, concurrency } = deps.settings();
    const hosts = intervalMs > 0 ? deps.hosts() : [];
    if (hosts.length === 0) await deps.clock.wait(IDLE_MS, signal);
    for (const host of hosts) {
      while (running.size >= Math.max(1, concurrency)) await Promise.race(running);
      const check = checkOne(deps, host, signal).then(() => void running.delete(check));
      running.add(check);
      await deps.clock.wait(intervalMs / hosts.length, signal);
    }
  }
}

async function checkOne(deps: PowerWatchDeps, host: string, signal: AbortSignal): Promise<void> {
  try {
    deps.onReports(host, await deps.power.checkReachable(host, signal));
  } catch (error) {
    deps.ignore(error, 'a reading of the power in peace time ended early; the next round repeats it');
  }
}
