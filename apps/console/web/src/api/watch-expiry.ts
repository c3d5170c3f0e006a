import type { SessionKeeper } from './session.ts';

export interface WatchExpiryOptions {
  readonly session: Pick<SessionKeeper, 'session' | 'subscribe'>;
  /** Asks the server whether the session is over: its clock counts, not that of the browser. */
  readonly look: () => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly later: (run: () => void, delayMs: number) => () => void;
}

/** Timers stand still while a computer sleeps, and clocks are set: the time is looked at again and again. */
const STEP_MS = 60_000;
/** No two looks are closer together, also where the clock of the browser is far off. */
const SHORTEST_MS = 1_000;

/** Has a session looked at when its time is over, also where there is no connection by which the server could tell. */
export function watchExpiry({ session, look, now, later }: WatchExpiryOptions): void {
  let callOff: (() => void) | undefined;
  const wait = (endMs: number): void => {
    const leftMs = endMs - now();
    callOff = later(
      () => {
        if (now() < endMs) return wait(endMs);
        wait(now() + STEP_MS);
        look();
      },
      Math.max(SHORTEST_MS, Math.min(STEP_MS, leftMs)),
    );
  };
  session.subscribe(() => {
    callOff?.();
    const known = session.session();
    if (known.kind === 'signedIn' && known.expiresAtMs !== undefined) wait(known.expiresAtMs);
  });
}
