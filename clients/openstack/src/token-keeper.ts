import type { Clock } from './clock.ts';
import { OpenStackError } from './openstack-error.ts';
import { SingleFlight } from './single-flight.ts';
import type { Token } from './login.ts';

/** A token is not used in the last minute, or the last tenth if that is less: a slow request must not outlive it. */
const MARGIN_MS = 60_000;
const MARGIN_SHARE = 0.1;
/** Keystone locks accounts after a few wrong passwords, so a refusal is believed for a while. */
const REFUSED_MS = 10_000;

interface Kept {
  readonly token: Token;
  readonly staleAt: number;
}

/** Keeps one token for all requests, and gets a new one shortly before it ends. */
export class TokenKeeper {
  readonly #clock: Clock;
  readonly #logIn: () => Promise<Token>;
  readonly #flight: SingleFlight<Kept>;
  #current: Kept | undefined;
  #refusal: { readonly error: OpenStackError; readonly until: number } | undefined;

  constructor(clock: Clock, logIn: () => Promise<Token>) {
    this.#clock = clock;
    this.#logIn = logIn;
    this.#flight = new SingleFlight('identity: POST /auth/tokens', () => this.#get());
  }

  /** A token that is good for a while yet. However many ask at a time, Keystone is asked once. */
  async token(signal: AbortSignal | undefined): Promise<Token> {
    const kept = await this.#flight.value(signal);
    if (this.#clock.now() < kept.staleAt) return kept.token;
    this.#forget(kept);
    return (await this.#flight.value(signal)).token;
  }

  /** Makes the next one get a new token, unless somebody has got one since. */
  expire(token: Token): void {
    if (this.#current?.token === token) this.#forget(this.#current);
  }

  #forget(kept: Kept): void {
    if (this.#current !== kept) return;
    this.#current = undefined;
    this.#flight.forget();
  }

  async #get(): Promise<Kept> {
    if (this.#refusal !== undefined && this.#clock.now() < this.#refusal.until) throw this.#refusal.error;
    try {
      const askedAt = this.#clock.now();
      const token = await this.#logIn();
      const marginMs = Math.min(MARGIN_MS, token.lifetimeMs * MARGIN_SHARE);
      this.#current = { token, staleAt: askedAt + token.lifetimeMs - marginMs };
      this.#refusal = undefined;
      return this.#current;
    } catch (error) {
      const isRefusal = error instanceof OpenStackError && error.code === 'unauthorized';
      if (isRefusal) this.#refusal = { error, until: this.#clock.now() + REFUSED_MS };
      throw error;
    }
  }
}
