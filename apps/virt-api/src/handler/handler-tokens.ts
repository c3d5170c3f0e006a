import { isJsonObject } from '@smalt/json';
import type { KubeClient } from '@smalt/kube';

import { VirtApiError } from '../virt-api-error.ts';

/** What a token for handlers says, and whose it is. */
export interface HandlerTokenSettings {
  /** The namespace of our own account. */
  readonly namespace: string;
  /** Our own account: we may have tokens made of no other. */
  readonly account: string;
  /** Whom a token is for; `{node}` stands for the node of the handler. */
  readonly audience: string;
}

export interface HandlerTokensDeps extends HandlerTokenSettings {
  readonly client: Pick<KubeClient, 'request'>;
  /** Milliseconds that only go forward. */
  readonly clock: { now(): number };
}

interface KeptToken {
  readonly token: Promise<string>;
  readonly until: number;
}

/** The least that Kubernetes gives out. */
const LIFE_SECONDS = 600;
/** A stream is opened with it, and may take a while to be; after that nobody looks at it any more. */
const USE_MS = 300_000;
const ANSWER_MS = 10_000;

/**
 * A token of our own account for the handler of each node, which no other handler takes: who has taken over a node cannot use what it
 * is shown there to reach the guests of others.
 */
export class HandlerTokens {
  readonly #deps: HandlerTokensDeps;
  readonly #kept = new Map<string, KeptToken>();

  constructor(deps: HandlerTokensDeps) {
    this.#deps = deps;
  }

  /** The token for the handler of a node; one that was made lately is used again. */
  async get(nodeName: string, signal: AbortSignal): Promise<string> {
    const now = this.#deps.clock.now();
    const known = this.#kept.get(nodeName);
    if (known !== undefined && now < known.until) return await known.token;
    for (const [node, { until }] of this.#kept) if (until <= now) this.#kept.delete(node);
    const token = this.#make(nodeName);
    this.#kept.set(nodeName, { token, until: now + USE_MS });
    try {
      return await token;
    } catch (error) {
      // Whoever asks next tries again.
      if (this.#kept.get(nodeName)?.token === token) this.#kept.delete(nodeName);
      signal.throwIfAborted();
      throw error;
    }
  }

  /** Not with the signal of whoever asked first: others wait for the same answer. */
  async #make(nodeName: string): Promise<string> {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const { client, namespace, account, audience } = this.#deps;
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
    const spec = { audiences: [audienceOf(audience, nodeName)], expirationSeconds: LIFE_SECONDS };
    const type = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' };
    const answer = await client.request({ method: 'POST', path, body: JSON.stringify({ ...type, spec }), signal });
    const status = isJsonObject(answer) ? answer['status'] : undefined;
    const token = isJsonObject(status) ? status['token'] : undefined;
    if (typeof token === 'string' && token !== '') return token;
    throw new VirtApiError(
      'bad-setting',
      `the API server gave no token of ${namespace}/${account}: check handlers.account`,
    );
  }
}

function audienceOf(audience: string, nodeName: string): string {
  return audience.replaceAll('{node}', nodeName);
}
