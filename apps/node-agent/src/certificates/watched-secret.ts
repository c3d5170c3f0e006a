import { systemClock, type Clock, type Informer } from '@smalt/controller-runtime';
import { isKubeError } from '@smalt/kube';
import { parseFieldSelector } from '@smalt/kubernetes';

import type { AgentContext } from '../agent-context.ts';
import { secretKind, type Secret } from './secret.ts';

const PATIENCE_MS = 30_000;

export interface WatchedSecretSettings {
  /** The only namespace the Secret is taken from; that of the agent if not given. */
  readonly namespace?: string | undefined;
  /** How long it may take to read the Secret before that is a problem. */
  readonly patienceMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** What is known of the Secret: that it is not there is something else than that it cannot be read. */
export type SecretView =
  | { readonly kind: 'unknown'; readonly forAnotherMs: number }
  | { readonly kind: 'unreadable'; readonly why: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'found'; readonly secret: Secret };

/** The Secret of one node, followed in the one namespace that it may be in. */
export class WatchedSecret {
  readonly key: string;
  readonly #namespace: string;
  readonly #informer: Informer<Secret>;
  readonly #clock: Clock;
  readonly #patienceMs: number;
  readonly #sinceMs: number;
  #failure: unknown;

  constructor(
    { informers, nodeName, namespace, logger }: Pick<AgentContext, 'informers' | 'nodeName' | 'namespace' | 'logger'>,
    settings: WatchedSecretSettings,
  ) {
    const { clock = systemClock, patienceMs = PATIENCE_MS } = settings;
    const name = `tls-libvirt-${nodeName}`;
    this.#namespace = settings.namespace ?? namespace;
    this.key = `${this.#namespace}/${name}`;
    this.#clock = clock;
    this.#patienceMs = patienceMs;
    this.#sinceMs = clock.monotonic();
    this.#informer = informers.for(secretKind, {
      select: { namespace: this.#namespace, fieldSelector: parseFieldSelector(`metadata.name=${name}`) },
      onFailure: (error) => {
        this.#failure = error;
        logger.debug({ resource: this.key, error }, 'the Secret cannot be read');
      },
    });
  }

  look(): SecretView {
    if (this.#informer.hasSynced) {
      const secret = this.#informer.cache.get(this.key);
      return secret === undefined ? { kind: 'missing' } : { kind: 'found', secret };
    }
    const forAnotherMs = this.#sinceMs + this.#patienceMs - this.#clock.monotonic();
    return forAnotherMs > 0 ? { kind: 'unknown', forAnotherMs } : { kind: 'unreadable', why: this.#why() };
  }

  /** Calls back when there may be something new to see, until the signal fires. */
  onChange(tell: () => void, signal: AbortSignal): () => void {
    void this.#informer.whenSynced(signal).then(tell, () => undefined);
    return this.#informer.onChange(tell);
  }

  #why(): string {
    const failure = this.#failure;
    const reason = failure instanceof Error ? failure.message : 'the API server does not answer';
    const advice = isKubeError(failure, 'forbidden') ? '; let the agent list and watch them' : '';
    return `cannot read Secrets in ${this.#namespace}: ${reason}${advice}`;
  }
}
