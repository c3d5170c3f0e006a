import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { ConsoleClock } from '../console-clock.ts';
import { ConsoleError } from '../console-error.ts';
import type { EndedSessions } from './ended-sessions.ts';
import { EntryCodes } from './entry-codes.ts';
import { readSessionCookie, sessionCookie } from './session-cookie.ts';
import type { SessionSeal } from './session-seal.ts';
import type { Session } from './session.ts';
import { tokenExpiry } from './token-expiry.ts';

/** However long its token counts. */
export const LONGEST_SESSION_MS: number = 12 * 3_600_000;
/** One that ends sooner is no use to anybody. */
const SHORTEST_MS = 5_000;

export interface SessionsDeps {
  readonly seal: SessionSeal;
  readonly signedOut: EndedSessions;
  readonly clock: ConsoleClock;
}

/** A session that has begun, and the header that gives it to the browser. */
export interface BegunSession {
  readonly session: Session;
  readonly cookie: string;
}

/** Begins, finds and ends sessions. All of a session is in its cookie; only that it was ended early is known elsewhere. */
export class Sessions {
  readonly entries: EntryCodes;
  readonly #deps: SessionsDeps;
  readonly #onEnd = new Map<string, Set<() => void>>();

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.entries = new EntryCodes(deps.clock);
    deps.signedOut.onEnded((id) => this.#tell(id));
  }

  /** Begins a session with a token that was found good. Refuses one that is over, or too long for a cookie. */
  begin(token: string, isSecure: boolean): BegunSession {
    const now = this.#deps.clock.now();
    const expiresAt = Math.min(tokenExpiry(token) ?? Infinity, now + LONGEST_SESSION_MS);
    if (expiresAt - now < SHORTEST_MS) throw badToken('it has ended: make a new one');
    const session = { id: randomUUID(), token, expiresAt };
    const cookie = sessionCookie(this.#deps.seal.seal(session), expiresAt - now, isSecure);
    if (cookie === undefined) throw badToken('it is too long for a cookie: use one with fewer claims');
    return { session, cookie };
  }

  /** The session of a request. Throws `signed-out` where there is none that is good, `unavailable` where that cannot be said yet. */
  require(request: Pick<IncomingMessage, 'headers'>): Session {
    const session = this.find(request);
    if (session !== undefined && !this.#deps.signedOut.has(session.id)) return session;
    throw new ConsoleError('signed-out', 'nobody has signed in here, or the session is over: sign in with a token');
  }

  /** The session of a request by its cookie alone, whether or not somebody has signed out of it. */
  find({ headers }: Pick<IncomingMessage, 'headers'>): Session | undefined {
    const text = readSessionCookie(headers.cookie);
    const session = text === undefined ? undefined : this.#deps.seal.open(text);
    return session !== undefined && this.#deps.clock.now() < session.expiresAt ? session : undefined;
  }

  /** Ends a session for good: its cookie is worth nothing any more, and its streams are told. */
  async end({ id, expiresAt }: Session): Promise<void> {
    const written = this.#deps.signedOut.add(id, expiresAt);
    this.#tell(id);
    await written;
  }

  /** Calls back when a session ends before its time, until what it returns is disposed of. */
  whenEnded({ id }: Session, tell: () => void): Disposable {
    const told = this.#onEnd.get(id) ?? new Set();
    this.#onEnd.set(id, told.add(tell));
    return {
      [Symbol.dispose]: () => {
        told.delete(tell);
        if (told.size === 0 && this.#onEnd.get(id) === told) this.#onEnd.delete(id);
      },
    };
  }

  #tell(id: string): void {
    for (const tell of this.#onEnd.get(id) ?? []) tell();
    this.#onEnd.delete(id);
  }
}

function badToken(why: string): ConsoleError {
  return new ConsoleError('bad-request', `this token cannot be used: ${why}`, { field: 'token' });
}
