import { fieldOf, type ReviewedUser, type TokenReviews } from '@smalt/kubernetes-callers';
import type { Ignore } from '@smalt/service-runtime';

import type { ServiceClock } from '../../ports/service-clock.ts';

/** How long an answer counts, and how long one that was good counts while the cluster cannot be asked. */
const KEEP_MS = 60_000;
const KEEP_REFUSAL_MS = 10_000;
const KEEP_WHILE_AWAY_MS = 600_000;
const MOST_KEPT = 50_000;
const NODE_CLAIM = 'authentication.kubernetes.io/node-name';
const WEB_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export interface KubernetesNodesDeps {
  readonly reviews: Pick<TokenReviews, 'find'>;
  readonly clock: Pick<ServiceClock, 'now'>;
  readonly ignore: Ignore;
}

interface Bearer {
  readonly account: string;
  readonly node: string;
}

interface Kept {
  readonly bearer: Bearer | undefined;
  readonly at: number;
}

/** The nodes whose agents show the token of their pod: the cluster says which account it is, and on which node. */
export class KubernetesNodes {
  readonly #deps: KubernetesNodesDeps;
  readonly #kept = new Map<string, Kept>();
  readonly #asking = new Map<string, Promise<Bearer | undefined>>();

  constructor(deps: KubernetesNodesDeps) {
    this.#deps = deps;
  }

  /** The node that a token is bound to, if it is one of an account of these. */
  async find(
    { token, hash }: { readonly token: string; readonly hash: string },
    accounts: readonly string[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (!WEB_TOKEN.test(token)) return undefined;
    const bearer = await this.#bearer(token, hash, signal);
    return bearer !== undefined && accounts.includes(bearer.account) ? bearer.node : undefined;
  }

  async #bearer(token: string, hash: string, signal: AbortSignal): Promise<Bearer | undefined> {
    const kept = this.#kept.get(hash);
    const age = kept === undefined ? Infinity : this.#deps.clock.now() - kept.at;
    if (kept !== undefined && age < (kept.bearer === undefined ? KEEP_REFUSAL_MS : KEEP_MS)) return kept.bearer;
    try {
      return await this.#askOnce(token, hash, signal);
    } catch (error) {
      if (kept?.bearer === undefined || age > KEEP_WHILE_AWAY_MS) throw error;
      // A node that was known a moment ago is not to fall silent because the API server has.
      this.#deps.ignore(error, 'the cluster cannot be asked; what it said of this token before counts');
      return kept.bearer;
    }
  }

  async #askOnce(token: string, hash: string, signal: AbortSignal): Promise<Bearer | undefined> {
    const asking = this.#asking.get(hash);
    if (asking !== undefined) return await asking;
    const answer = this.#ask(token, signal).finally(() => this.#asking.delete(hash));
    this.#asking.set(hash, answer);
    const bearer = await answer;
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(hash, { bearer, at: this.#deps.clock.now() });
    return bearer;
  }

  async #ask(token: string, signal: AbortSignal): Promise<Bearer | undefined> {
    const reviewed = await this.#deps.reviews.find(token, signal);
    return reviewed && bearerOf(reviewed);
  }
}

/** The account and the node of a token; undefined for one that is not of an account, or not bound to a node. */
export function bearerOf({ name, user }: ReviewedUser): Bearer | undefined {
  const claim = fieldOf(fieldOf(user, 'extra'), NODE_CLAIM);
  const node: unknown = Array.isArray(claim) && claim.length === 1 ? claim[0] : undefined;
  const account = /^system:serviceaccount:(?<account>[^:]+:[^:]+)$/.exec(name)?.groups?.['account'];
  return account === undefined || typeof node !== 'string' || node === '' ? undefined : { account, node };
}
