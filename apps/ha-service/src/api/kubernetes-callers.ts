import { createHash } from 'node:crypto';

import type { KubeClient } from '@smalt/kube';

import { HaServiceError } from '../ha-service-error.ts';
import { fieldOf } from '../identity/field-of.ts';
import type { TokenReviews } from '../identity/token-reviews.ts';
import type { ServiceClock } from '../ports/service-clock.ts';
import { Role, type Caller } from './caller.ts';

/** How long an answer of the cluster counts: so much later, at most, a right that was taken away is gone. */
const KEEP_MS = 10_000;
const MOST_KEPT = 1_000;

export interface KubernetesCallersDeps {
  readonly client: Pick<KubeClient, 'request'>;
  readonly reviews: Pick<TokenReviews, 'find'>;
  readonly clock: Pick<ServiceClock, 'now'>;
}

interface Kept {
  readonly caller: Caller | undefined;
  readonly until: number;
}

/**
 * Those whom the cluster knows by their tokens. Who may `update` the subresource `hypervisors/highavailability` of
 * `kvm.cloud.sap` is an operator, who may `get` it is a viewer.
 */
export class KubernetesCallers {
  readonly #deps: KubernetesCallersDeps;
  readonly #kept = new Map<string, Kept>();

  constructor(deps: KubernetesCallersDeps) {
    this.#deps = deps;
  }

  async find(token: string, signal: AbortSignal): Promise<Caller | undefined> {
    const key = createHash('sha256').update(token).digest('base64');
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#deps.clock.now() < kept.until) return kept.caller;
    const caller = await this.#ask(token, signal);
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(key, { caller, until: this.#deps.clock.now() + KEEP_MS });
    return caller;
  }

  async #ask(token: string, signal: AbortSignal): Promise<Caller | undefined> {
    const reviewed = await this.#deps.reviews.find(token, signal);
    if (reviewed === undefined) return undefined;
    const { name, user } = reviewed;
    if (await this.#may(user, 'update', signal)) return { name, role: Role.operator };
    return (await this.#may(user, 'get', signal)) ? { name, role: Role.viewer } : undefined;
  }

  async #may(user: unknown, verb: string, signal: AbortSignal): Promise<boolean> {
    const spec = {
      user: fieldOf(user, 'username'),
      groups: fieldOf(user, 'groups'),
      uid: fieldOf(user, 'uid'),
      extra: fieldOf(user, 'extra'),
      resourceAttributes: { group: 'kvm.cloud.sap', resource: 'hypervisors', subresource: 'highavailability', verb },
    };
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
    const answer = await this.#post('/apis/authorization.k8s.io/v1/subjectaccessreviews', review, signal);
    return fieldOf(fieldOf(answer, 'status'), 'allowed') === true;
  }

  async #post(path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    try {
      return await this.#deps.client.request({ method: 'POST', path, body: JSON.stringify(body), signal });
    } catch (error) {
      const message = 'the cluster cannot be asked who this is now: try again, or use a token of the tokens file';
      throw new HaServiceError('unavailable', message, { cause: error });
    }
  }
}
