import type { ConsoleContext } from '../console-context.ts';
import type { Session } from './session.ts';

/** The longest that a timer takes; sessions are shorter, so it is a guard against a clock that jumped. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A signal that fires when a session is over: by its time, because the user signed out, or because there is no such user any more. */
export interface SessionSpan extends Disposable {
  readonly over: AbortSignal;
}

/** Watches a session for as long as something of it is under way. */
export function sessionSpan(
  { sessions, checks, clock }: Pick<ConsoleContext, 'sessions' | 'checks' | 'clock'>,
  session: Session,
): SessionSpan {
  const over = new AbortController();
  const end = (): void => over.abort(new Error('the session is over'));
  const told = sessions.whenEnded(session, end);
  const checked = checks.begin(session, end);
  const leftMs = Math.max(0, session.expiresAt - clock.now());
  const timer = setTimeout(end, Math.min(leftMs, LONGEST_TIMER_MS)).unref();
  return {
    over: over.signal,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      told[Symbol.dispose]();
      checked[Symbol.dispose]();
    },
  };
}
