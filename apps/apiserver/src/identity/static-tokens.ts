import { createHash } from 'node:crypto';

import type { User } from './user.ts';

/** Tokens that were given out by hand. Only their digests are kept, and only digests are compared. */
export class StaticTokens {
  readonly #users = new Map<string, User>();

  constructor(tokens: Iterable<readonly [token: string, user: User]>) {
    for (const [token, user] of tokens) this.#users.set(digest(token), user);
  }

  /** Whom a token stands for. How long this takes says nothing about the tokens that exist. */
  find(token: string): User | undefined {
    return this.#users.get(digest(token));
  }
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
