import { createHash } from 'node:crypto';

import type { AccessReviews, ReviewedUser, TokenReviews } from '@smalt/kubernetes-callers';

import type { ServiceClock } from '../ports/service-clock.ts';
import { Role, type Caller } from './caller.ts';

/** How long an answer of the cluster counts: so much later, at most, a right that was taken away is gone. */
const KEEP_MS = 10_000;
const MOST_KEPT = 1_000;

export interface KubernetesCallersDeps {
  readonly reviews: Pick<TokenReviews, 'find'>;
  readonly access: Pick<AccessReviews, 'may'>;
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
    const user = await this.#deps.reviews.find(token, signal);
    if (user === undefined) return undefined;
    if (await this.#may(user, 'update', signal)) return { name: user.name, role: Role.operator };
    return (await this.#may(user, 'get', signal)) ? { name: user.name, role: Role.viewer } : undefined;
  }

  async #may(user: ReviewedUser, verb: string, signal: AbortSignal): Promise<boolean> {
    const resource = { group: 'kvm.cloud.sap', resource: 'hypervisors', subresource: 'highavailability' };
    return await this.#deps.access.may(user, { ...resource, verb }, signal);
  }
}
