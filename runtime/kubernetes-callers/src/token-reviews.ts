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
  /** Beside that one: whom tokens of callers were made for that are of an older version. */
  readonly formerAudiences?: readonly string[];
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
    const audiences = audience === '' ? [] : [audience, ...(this.#deps.formerAudiences ?? [])];
    const spec = { token, ...(audiences.length > 0 && { audiences }) };
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec };
    try {
      const body = JSON.stringify(review);
      return readReview(await this.#deps.client.request({ method: 'POST', path: PATH, body, signal }), audiences);
    } catch (error) {
      throw new CallersError('unavailable', 'the cluster cannot be asked whose token this is', { cause: error });
    }
  }
}

/** Reads the answer. One that names none of the audiences comes from a server that has not looked at them. */
export function readReview(answer: unknown, wanted: readonly string[]): ReviewedUser | undefined {
  const status = fieldOf(answer, 'status');
  const user = fieldOf(status, 'user');
  const name = fieldOf(user, 'username');
  if (fieldOf(status, 'authenticated') !== true || typeof name !== 'string' || name === '') return undefined;
  const audiences = fieldOf(status, 'audiences');
  const isForUs = wanted.length === 0 || (Array.isArray(audiences) && wanted.some((each) => audiences.includes(each)));
  return isForUs ? { name, user } : undefined;
}
