import type { KubeClient } from '@smalt/kube';

import type { CallersClock } from './callers-clock.ts';
import { CallersError } from './callers-error.ts';
import { fieldOf } from './field-of.ts';

/** An authority changes once in years; who asks in between gets what is kept. */
const KEEP_MS = 60_000;
const READ_MS = 10_000;
const RETRY_MS = 2_000;
const PATH = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

export interface ClientAuthorityDeps {
  readonly client: Pick<KubeClient, 'request'>;
  readonly clock: CallersClock;
}

/** By which authority the cluster knows client certificates, where API servers beside its own look for it too. */
export class ClientAuthority {
  readonly #deps: ClientAuthorityDeps;
  #kept: { readonly pem: Promise<string>; until: number } | undefined;

  constructor(deps: ClientAuthorityDeps) {
    this.#deps = deps;
  }

  /** In PEM form, read anew once a minute. Empty where the cluster takes no certificates. */
  async get(signal: AbortSignal): Promise<string> {
    const now = this.#deps.clock.now();
    if (this.#kept === undefined || now >= this.#kept.until) {
      // Several may wait for one answer, so it does not go with the first of them.
      const kept = { pem: this.#read(AbortSignal.timeout(READ_MS)), until: now + KEEP_MS };
      kept.pem.catch(() => (kept.until = this.#deps.clock.now() + RETRY_MS));
      this.#kept = kept;
    }
    return await orAborted(this.#kept.pem, signal);
  }

  async #read(signal: AbortSignal): Promise<string> {
    try {
      const answer = await this.#deps.client.request({ method: 'GET', path: PATH, signal });
      const pem = fieldOf(fieldOf(answer, 'data'), 'client-ca-file');
      return typeof pem === 'string' ? pem : '';
    } catch (error) {
      const message = 'the cluster cannot be asked which client certificates count: try again, or use a token';
      throw new CallersError('unavailable', message, { cause: error });
    }
  }
}

async function orAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
