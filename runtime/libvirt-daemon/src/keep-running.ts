import { setTimeout as systemDelay } from 'node:timers/promises';

import { LibvirtDaemonError } from './error.ts';

/** A run that ends sooner counts as a quick death; one that lasts longer clears the count. */
const QUICK_MS = 60_000;
const MOST_QUICK_DEATHS = 5;
const FIRST_DELAY_MS = 250;

export interface KeepRunningOptions {
  /** Told when libvirtd has died and is about to be started again. */
  readonly onDeath: (delayMs: number) => void;
  readonly delay?: ((delayMs: number, signal: AbortSignal) => Promise<void>) | undefined;
  readonly now?: (() => number) | undefined;
}

interface KeptDaemon {
  /** Whether it can never be started again. */
  readonly hasEnded: boolean;
  exited(signal: AbortSignal): Promise<void>;
  restart(signal: AbortSignal): Promise<void>;
  log(): Promise<string>;
}

/**
 * Starts a libvirtd again whenever it dies, later each time, until the signal fires. Rejects with its last words when
 * it keeps dying, or when its namespaces are gone and its guests with them.
 */
export async function keepRunning(daemon: KeptDaemon, options: KeepRunningOptions, signal: AbortSignal): Promise<void> {
  const { delay = wait, now = Date.now } = options;
  const stopped = aborted(signal);
  let deaths = 0;
  let failure: LibvirtDaemonError | undefined;
  while (!signal.aborted) {
    const startedAt = now();
    if (failure === undefined) await Promise.race([daemon.exited(signal), stopped]);
    if (signal.aborted) return;
    const step = decideAfterDeath(deaths, now() - startedAt, daemon.hasEnded);
    if (step.kind === 'give-up') {
      const log = failure?.log ?? (await daemon.log());
      throw new LibvirtDaemonError(step.code, step.message, { log, cause: failure });
    }
    deaths = step.deaths;
    options.onDeath(step.delayMs);
    await delay(step.delayMs, signal);
    if (!signal.aborted) failure = await tryRestart(daemon, signal);
  }
}

type AfterDeath =
  | { readonly kind: 'restart'; readonly delayMs: number; readonly deaths: number }
  | { readonly kind: 'give-up'; readonly code: 'ended' | 'keeps-dying'; readonly message: string };

/** Decides what follows a death: another start, or none. `deaths` is how many quick ones came before it in a row. */
export function decideAfterDeath(deaths: number, livedMs: number, hasEnded: boolean): AfterDeath {
  if (hasEnded) return { kind: 'give-up', code: 'ended', message: "libvirtd's namespaces are gone, with all guests" };
  const quickDeaths = livedMs < QUICK_MS ? deaths + 1 : 1;
  if (quickDeaths >= MOST_QUICK_DEATHS) {
    return { kind: 'give-up', code: 'keeps-dying', message: `libvirtd died ${quickDeaths} times in a row` };
  }
  return { kind: 'restart', delayMs: FIRST_DELAY_MS * 2 ** (quickDeaths - 1), deaths: quickDeaths };
}

/** Gives the error of a start that failed, which counts as a death: the daemon serves nobody, whether it runs or not. */
async function tryRestart(daemon: KeptDaemon, signal: AbortSignal): Promise<LibvirtDaemonError | undefined> {
  try {
    await daemon.restart(signal);
    return undefined;
  } catch (error) {
    if (error instanceof LibvirtDaemonError) return error;
    throw error;
  }
}

async function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  await systemDelay(delayMs, undefined, { signal }).catch(() => undefined);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
