import { setTimeout as delay } from 'node:timers/promises';

const QUIET_MS = 400;
const AT_MOST_MS = 5_000;
const LOOK_AGAIN_MS = 20;

/** Resolves once nothing has happened for a while. An agent that never comes to rest is not waited for for ever. */
export async function untilQuiet(quietMs: () => number, signal: AbortSignal): Promise<void> {
  const until = performance.now() + AT_MOST_MS;
  while (quietMs() < QUIET_MS && performance.now() < until) await delay(LOOK_AGAIN_MS, undefined, { signal });
}
