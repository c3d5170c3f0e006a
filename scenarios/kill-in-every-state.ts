import { setTimeout as delay } from 'node:timers/promises';

import type { OnCall } from './on-call.ts';

const OPEN_STATES = ['detected', 'fencing', 'forcing-down', 'rebuilding'] as const;
const TIMEOUT_MS = 150_000;
const POLL_MS = 10;

export interface Killing {
  readonly onCall: OnCall;
  readonly host: string;
  /** The last incident of the host before this one. */
  readonly before: string | undefined;
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<void>;
}

/** Kills and restarts in each state of the next incident of a host, once, and tells in which until it is over. */
export async function killInEveryState({ onCall, host, before, kill, restart }: Killing): Promise<readonly string[]> {
  const left = new Set<string>(OPEN_STATES);
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  while (!deadline.aborted) {
    const incident = await onCall.incidentOf(host).catch(() => undefined);
    const state = incident?.id === before ? undefined : incident?.state;
    if (state !== undefined && left.delete(state)) {
      await kill();
      await restart();
    } else if (state !== undefined && !isOpen(state)) break;
    else await delay(POLL_MS);
  }
  return OPEN_STATES.filter((state) => !left.has(state));
}

function isOpen(state: string): boolean {
  return OPEN_STATES.some((each) => each === state);
}
