import { setTimeout as delay } from 'node:timers/promises';

import { SystemdError } from '../systemd-error.ts';

/** Waits, without keeping the process alive for it. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal, ref: false });
  } catch (cause) {
    throw new SystemdError('aborted', 'Waiting was given up', { cause });
  }
}
