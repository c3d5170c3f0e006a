import type { KubeClient } from '@smalt/kube';

import { CallersError } from './callers-error.ts';
import { fieldOf } from './field-of.ts';
import type { ReviewedUser } from './reviewed-user.ts';

/** What asks for more at a time has to come again: the API server has others to serve. */
const MOST_ASKING = 32;
const PATH = '/apis/authentication.k8s.io/v1/tokenreviews';

export interface TokenReviewsDeps {
  readonly client: Pick<KubeClient, 'request'>;
  /** Whom a token has to be made for; empty: the API server itself. */
  readonly audience: () => string;
}

/** Asks the cluster whose a token is, for persons and nodes alike, and not about too many at a time. */
export class TokenReviews {
  readonly #deps: TokenReviewsDeps;
  #asking = 0;

  constructor(deps: TokenReviewsDeps) {
    this.#deps = deps;
  }

  /** Undefined for a token that does not count here. */
  async find(token: string, signal: AbortSignal): Promise<ReviewedUser | undefined> {
    if (this.#asking >= MOST_ASKING) {
      throw new CallersError('unavailable', 'the cluster is asked too much: try again in a moment');
    }
    this.#asking++;
    try {
      return await this.#ask(token, signal);
    } finally {
      this.#asking--;
    }
  }

  async #ask(token: string, signal: AbortSignal): Promise<ReviewedUser | undefined> {
    const audience = this.#deps.audience();
    const spec = { token, ...(audience !== '' && { audiences: [audience] }) };
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec };
    try {
      const body = JSON.stringify(review);
      return readReview(await this.#deps.client.request({ method: 'POST', path: PATH, body, signal }), audience);
    } catch (error) {
      throw new CallersError('unavailable', 'the cluster cannot be asked whose token this is', { cause: error });
    }
  }
}

/** Reads the answer. One that does not name the audience comes from a server that has not looked at it. */
export function readReview(answer: unknown, audience: string): ReviewedUser | undefined {
  const status = fieldOf(answer, 'status');
  const user = fieldOf(status, 'user');
  const name = fieldOf(user, 'username');
  if (fieldOf(status, 'authenticated') !== true || typeof name !== 'string' || name === '') return undefined;
  const audiences = fieldOf(status, 'audiences');
  const isForUs = audience === '' || (Array.isArray(audiences) && audiences.includes(audience));
  return isForUs ? { name, user } : undefined;
}
