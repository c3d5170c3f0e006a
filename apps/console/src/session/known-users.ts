import type { ConsoleClock } from '../console-clock.ts';
import type { ReviewedUser } from './reviewed-user.ts';
import type { Session } from './session.ts';

const KEEP_MS = 10_000;
const MOST_KEPT = 1_000;

interface Kept {
  readonly user: Promise<ReviewedUser>;
  readonly until: number;
}

/** Whose sessions are, for calls that name the user: an answer of the API server counts for ten seconds. */
export class KnownUsers {
  readonly #clock: ConsoleClock;
  readonly #ask: (token: string) => Promise<ReviewedUser>;
  readonly #kept = new Map<string, Kept>();

  constructor(clock: ConsoleClock, ask: (token: string) => Promise<ReviewedUser>) {
    this.#clock = clock;
    this.#ask = ask;
  }

  async of({ id, token }: Session): Promise<ReviewedUser> {
    const kept = this.#kept.get(id);
    if (kept !== undefined && this.#clock.now() < kept.until) return await kept.user;
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    const user = this.#ask(token);
    this.#kept.set(id, { user, until: this.#clock.now() + KEEP_MS });
    try {
      return await user;
    } catch (error) {
      this.#kept.delete(id);
      throw error;
    }
  }
}
