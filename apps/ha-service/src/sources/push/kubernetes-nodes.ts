import type { KubeClient } from '@smalt/kube';
import type { Ignore } from '@smalt/service-runtime';

import { HaServiceError } from '../../ha-service-error.ts';
import type { ServiceClock } from '../../ports/service-clock.ts';

/** How long an answer counts, and how long one that was good counts while the cluster cannot be asked. */
const KEEP_MS = 60_000;
const KEEP_REFUSAL_MS = 10_000;
const KEEP_WHILE_AWAY_MS = 600_000;
const MOST_KEPT = 50_000;
/** What asks for more at a time has to come again: the API server has others to serve. */
const MOST_ASKING = 32;
const NODE_CLAIM = 'authentication.kubernetes.io/node-name';
const WEB_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export interface KubernetesNodesDeps {
  readonly client: Pick<KubeClient, 'request'>;
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
    if (this.#asking.size >= MOST_ASKING) throw new HaServiceError('unavailable', 'the cluster is asked too much');
    const answer = this.#ask(token, signal).finally(() => this.#asking.delete(hash));
    this.#asking.set(hash, answer);
    const bearer = await answer;
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(hash, { bearer, at: this.#deps.clock.now() });
    return bearer;
  }

  async #ask(token: string, signal: AbortSignal): Promise<Bearer | undefined> {
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
    const path = '/apis/authentication.k8s.io/v1/tokenreviews';
    try {
      return readReview(
        await this.#deps.client.request({ method: 'POST', path, body: JSON.stringify(review), signal }),
      );
    } catch (error) {
      throw new HaServiceError('unavailable', 'the cluster cannot be asked whose token this is', { cause: error });
    }
  }
}

/** Reads whose token it is; undefined for one that does not count, or is not bound to a node. */
export function readReview(answer: unknown): Bearer | undefined {
  const status = fieldOf(answer, 'status');
  const user = fieldOf(status, 'user');
  const name = fieldOf(user, 'username');
  const claim = fieldOf(fieldOf(user, 'extra'), NODE_CLAIM);
  const node: unknown = Array.isArray(claim) && claim.length === 1 ? claim[0] : undefined;
  if (fieldOf(status, 'authenticated') !== true || typeof name !== 'string') return undefined;
  const account = /^system:serviceaccount:(?<account>[^:]+:[^:]+)$/.exec(name)?.groups?.['account'];
  return account === undefined || typeof node !== 'string' || node === '' ? undefined : { account, node };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}
