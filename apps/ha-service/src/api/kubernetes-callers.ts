import { createHash } from 'node:crypto';

import type { AccessReviews, ReviewedUser, TokenReviews } from '@smalt/kubernetes-callers';

import { HaServiceError } from '../ha-service-error.ts';
import type { ServiceClock } from '../ports/service-clock.ts';
import { mayNotSpeakForOthers, type Behalf } from './behalf.ts';
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

  /** Undefined for who has no role; `behalf` is somebody else, and counts only if the owner of the token may act for others. */
  async find(token: string, behalf: Behalf | undefined, signal: AbortSignal): Promise<Caller | undefined> {
    const asked = JSON.stringify([token, behalf?.name, behalf?.groups]);
    const key = createHash('sha256').update(asked).digest('base64');
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#deps.clock.now() < kept.until) return kept.caller;
    const caller = await this.#ask(token, behalf, signal);
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(key, { caller, until: this.#deps.clock.now() + KEEP_MS });
    return caller;
  }

  async #ask(token: string, behalf: Behalf | undefined, signal: AbortSignal): Promise<Caller | undefined> {
    const owner = await this.#deps.reviews.find(token, signal);
    if (owner === undefined) return undefined;
    if (behalf === undefined) return await this.#callerOf(owner, signal);
    if (!(await this.#may(owner, 'impersonate', signal))) throw mayNotSpeakForOthers(owner.name);
    const user = { username: behalf.name, groups: behalf.groups };
    const caller = await this.#callerOf({ name: behalf.name, user }, signal);
    if (caller !== undefined) return { ...caller, through: owner.name };
    const message = `${behalf.name} has no role here: bind the ClusterRole smalt-ha-viewer or smalt-ha-operator`;
    throw new HaServiceError('forbidden', message);
  }

  async #callerOf(user: ReviewedUser, signal: AbortSignal): Promise<Caller | undefined> {
    if (await this.#may(user, 'update', signal)) return { name: user.name, role: Role.operator };
    return (await this.#may(user, 'get', signal)) ? { name: user.name, role: Role.viewer } : undefined;
  }

  async #may(user: ReviewedUser, verb: string, signal: AbortSignal): Promise<boolean> {
    const resource = { group: 'kvm.cloud.sap', resource: 'hypervisors', subresource: 'highavailability' };
    return await this.#deps.access.may(user, { ...resource, verb }, signal);
  }
}
