import type { Logger } from '@smalt/service-runtime';

import type { Clock } from '../clock.ts';
import type { AgentPart } from './agent-part.ts';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 60_000;
/** A part that ran for so long was well: its next failure is its first. */
const STABLE_MS = 60_000;

export interface PartSupervision {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Told that a part gave up and is started again. */
  readonly metrics: { countPartFailure(part: string): void };
}

/** Runs a part until the signal fires or it has nothing more to do. One that throws is started again, later each time. */
export async function runPart(part: AgentPart, supervision: PartSupervision, signal: AbortSignal): Promise<void> {
  const { logger, clock, metrics } = supervision;
  let inRow = 0;
  while (!signal.aborted) {
    const startedAt = clock.monotonic();
    try {
      await part.run(signal);
      return;
    } catch (error) {
      if (signal.aborted) return;
      inRow = clock.monotonic() - startedAt >= STABLE_MS ? 1 : inRow + 1;
      const delayMs = restartDelayMs(inRow);
      metrics.countPartFailure(part.name);
      logger.warn({ part: part.name, delayMs, error }, 'a part of the agent failed and is started again');
      await clock.wait(delayMs, signal).catch(() => undefined);
    }
  }
}

/** How long a part waits after so many failures in a row. */
export function restartDelayMs(inRow: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (inRow - 1));
}
