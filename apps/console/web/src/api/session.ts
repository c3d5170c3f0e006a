import { ApiError, isSignedOut, messageOf } from './api-error.ts';
import type { ApiClient } from './api-client.ts';

/** Who is signed in. */
export type Session =
  | { readonly kind: 'looking' }
  | { readonly kind: 'signedOut'; readonly message?: string }
  /** The console did not answer, so nobody knows. */
  | { readonly kind: 'unknown'; readonly message: string }
  | SignedIn;

export interface SignedIn {
  readonly kind: 'signedIn';
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  /** Milliseconds since 1970; undefined when the server does not say. */
  readonly expiresAtMs: number | undefined;
  readonly hasHighAvailability: boolean;
}

/** A question without an answer must not stand in the way of the next. */
const CHECK_MS = 15_000;

/** Keeps who is signed in, and tells when that changes. */
export class SessionKeeper {
  readonly #listeners = new Set<() => void>();
  #session: Session = { kind: 'looking' };
  #checking: Promise<void> | undefined;

  readonly session = (): Session => this.#session;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Asks the server who is signed in. */
  async look(api: Pick<ApiClient, 'call'>): Promise<void> {
    try {
      this.#become(parseSession(await api.call('GET', '/session')));
    } catch (error) {
      this.#become(isSignedOut(error) ? { kind: 'signedOut' } : { kind: 'unknown', message: messageOf(error) });
    }
  }

  /** Asks whether who is signed in still is. Nothing changes without a clear answer: the page stays while the console is away. */
  async check(api: Pick<ApiClient, 'call'>): Promise<void> {
    if (this.#session.kind !== 'signedIn') return;
    this.#checking ??= this.#askAgain(api, this.#session).finally(() => (this.#checking = undefined));
    await this.#checking;
  }

  /** Rejects with an ApiError when the token is not good. */
  async signIn(api: Pick<ApiClient, 'call'>, token: string): Promise<void> {
    await api.call('POST', '/session', { body: { token } });
    await this.look(api);
  }

  async signOut(api: Pick<ApiClient, 'call'>): Promise<void> {
    await api.call('DELETE', '/session');
    this.#become({ kind: 'signedOut', message: 'You have signed out.' });
  }

  /** The server says that the session has ended. */
  ended(): void {
    if (this.#session.kind !== 'signedIn') return;
    this.#become({ kind: 'signedOut', message: 'Your session has ended.' });
  }

  async #askAgain(api: Pick<ApiClient, 'call'>, before: SignedIn): Promise<void> {
    try {
      const now = parseSession(await api.call('GET', '/session', { signal: AbortSignal.timeout(CHECK_MS) }));
      if (this.#session === before && JSON.stringify(now) !== JSON.stringify(before)) this.#become(now);
    } catch (error) {
      if (this.#session === before && isSignedOut(error)) this.ended();
    }
  }

  #become(session: Session): void {
    this.#session = session;
    for (const listener of this.#listeners) listener();
  }
}

/** What `GET /session` answers. */
export function parseSession(answer: unknown): SignedIn {
  const user = field(answer, 'user');
  const name = field(user, 'name');
  if (typeof name !== 'string') {
    throw new ApiError({ code: 'failed', status: 200, message: 'The console did not say who is signed in.' });
  }
  const groups = field(user, 'groups');
  const expiresAt = field(answer, 'expiresAt');
  return {
    kind: 'signedIn',
    user: { name, groups: Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [] },
    expiresAtMs: typeof expiresAt === 'string' ? timeOf(expiresAt) : undefined,
    hasHighAvailability: field(answer, 'hasHighAvailability') === true,
  };
}

function timeOf(text: string): number | undefined {
  const timeMs = Date.parse(text);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
