import { backOffDelayMs, type BackOffOptions } from '../../connection/back-off.ts';
import type { Clock } from '../../connection/clock.ts';

/** How a connection came to its end. One that never worked, or not for long, makes the next pause longer. */
export interface AttemptOutcome {
  readonly wasStable: boolean;
}

/** Where to connect, how, and how patiently. */
export interface KeepConnectedOptions<Endpoint> {
  readonly endpoints: readonly Endpoint[];
  readonly backOff: BackOffOptions;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Connects, and resolves when that failed or the connection is lost. */
  readonly attempt: (endpoint: Endpoint) => Promise<AttemptOutcome>;
}

/**
 * Keeps one connection up until the signal fires. All endpoints are tried one after the other without a pause; only
 * when none of them works there is one, longer each time. A connection that held is made again at once.
 */
export async function keepConnected<Endpoint>(options: KeepConnectedOptions<Endpoint>): Promise<void> {
  const { endpoints, backOff, random, signal, attempt } = options;
  let failures = 0;
  let turn = 0;
  while (!signal.aborted) {
    const endpoint = endpoints[turn % endpoints.length];
    if (endpoint === undefined) return;
    const { wasStable } = await attempt(endpoint);
    if (wasStable) {
      failures = 0;
      continue;
    }
    failures++;
    turn++;
    const rounds = Math.floor(failures / endpoints.length);
    if (failures % endpoints.length === 0)
      await pause(options.clock, backOffDelayMs(rounds, backOff, random()), signal);
  }
}

async function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onAbort = (): void => resolve();
  const cancel = clock.schedule(onAbort, delayMs);
  signal.addEventListener('abort', onAbort, { once: true });
  await promise;
  cancel();
  signal.removeEventListener('abort', onAbort);
}
