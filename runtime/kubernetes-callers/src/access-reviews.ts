import { createHash } from 'node:crypto';

import type { KubeClient } from '@smalt/kube';

import type { CallersClock } from './callers-clock.ts';
import { CallersError } from './callers-error.ts';
import { fieldOf } from './field-of.ts';
import type { ReviewedUser } from './reviewed-user.ts';

/** How long an answer of the cluster counts: so much later, at most, a right that was taken away is gone. */
const KEEP_MS = 10_000;
const MOST_KEPT = 1_000;
/** What asks for more at a time has to come again: the API server has others to serve. */
const MOST_ASKING = 32;
const PATH = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

/** What somebody wants to do, in the words of RBAC. */
export interface AccessAttributes {
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly verb: string;
  readonly namespace?: string;
  readonly name?: string;
}

export interface AccessReviewsDeps {
  readonly client: Pick<KubeClient, 'request'>;
  readonly clock: CallersClock;
}

interface Kept {
  readonly isAllowed: boolean;
  readonly until: number;
}

/** Asks the cluster whether somebody may do something. An answer is kept for ten seconds. */
export class AccessReviews {
  readonly #deps: AccessReviewsDeps;
  readonly #kept = new Map<string, Kept>();
  #asking = 0;

  constructor(deps: AccessReviewsDeps) {
    this.#deps = deps;
  }

  /** Rejects with `unavailable` while the cluster cannot be asked: nobody is let in by chance. */
  async may({ user }: ReviewedUser, attributes: AccessAttributes, signal: AbortSignal): Promise<boolean> {
    const spec = {
      user: fieldOf(user, 'username'),
      groups: fieldOf(user, 'groups'),
      uid: fieldOf(user, 'uid'),
      extra: fieldOf(user, 'extra'),
      resourceAttributes: attributes,
    };
    const body = JSON.stringify({ apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec });
    const key = createHash('sha256').update(body).digest('base64');
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#deps.clock.now() < kept.until) return kept.isAllowed;
    const isAllowed = await this.#ask(body, signal);
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(key, { isAllowed, until: this.#deps.clock.now() + KEEP_MS });
    return isAllowed;
  }

  async #ask(body: string, signal: AbortSignal): Promise<boolean> {
    if (this.#asking >= MOST_ASKING) {
      throw new CallersError('unavailable', 'the cluster is asked too much: try again in a moment');
    }
    this.#asking++;
    try {
      const answer = await this.#deps.client.request({ method: 'POST', path: PATH, body, signal });
      return fieldOf(fieldOf(answer, 'status'), 'allowed') === true;
    } catch (error) {
      const message = 'the cluster cannot be asked what this caller may do: try again in a moment';
      throw new CallersError('unavailable', message, { cause: error });
    } finally {
      this.#asking--;
    }
  }
}
