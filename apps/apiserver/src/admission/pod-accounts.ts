import type { JsonObject } from '@smalt/json';
import { goQuote } from '@smalt/resource';

import { forbiddenError } from '../errors/make-status-error.ts';
import type { StatusError } from '../errors/status-error.ts';
import { listAt, objectAt, textAt } from '../identity/object-fields.ts';
import type { AdmissionReview } from '../registry/admission.ts';
import type { Store } from '../store/store.ts';
import type { AdmissionStep } from './admission-chain.ts';
import { newPodSpec } from './new-pod.ts';
import { reviewedName } from './reviewed-name.ts';

const ACCOUNTS = 'serviceaccounts';
const DEFAULT_ACCOUNT = 'default';
/** About as long as Kubernetes looks for the account of a namespace that was made just now. */
const DEFAULT_WAIT_MS = 1_000;
const MIRROR = 'kubernetes.io/config.mirror';

/**
 * A new pod runs as an account that exists, `default` where it names none, and pulls its images with the secrets of that
 * account where it names none of its own, as by the plugin ServiceAccount of Kubernetes. Not done: no token is mounted
 * unasked, `kubernetes.io/enforce-mountable-secrets` of an account is not looked at, and of mirror pods, which are left as
 * they are, only the account is.
 */
export class PodAccounts implements AdmissionStep {
  readonly #store: Pick<Store, 'get' | 'subscribe'>;
  readonly #waitMs: number;

  constructor(store: Pick<Store, 'get' | 'subscribe'>, waitMs: number = DEFAULT_WAIT_MS) {
    this.#store = store;
    this.#waitMs = waitMs;
  }

  /** Waits for `default` alone, which somebody makes in every namespace. */
  mutate(review: AdmissionReview, signal: AbortSignal): Promise<JsonObject | undefined> | JsonObject | undefined {
    const spec = newPodSpec(review);
    if (spec === undefined || isMirror(review)) return review.object;
    const name = textAt(spec, 'serviceAccountName') || DEFAULT_ACCOUNT;
    if (name !== DEFAULT_ACCOUNT || this.#find(review, name) !== undefined) return this.#complete(review, spec, name);
    return this.#untilDefault(review, signal).then(() => this.#complete(review, spec, name));
  }

  /** Looks once more: webhooks may have changed what the pod runs as. The secrets stay those of the account of before. */
  validate(review: AdmissionReview): void {
    const spec = newPodSpec(review);
    if (spec === undefined) return;
    const name = textAt(spec, 'serviceAccountName');
    if (!isMirror(review)) this.#require(review, name);
    else if (name !== '') throw forbidden(review, 'a mirror pod may not reference service accounts');
  }

  #complete(review: AdmissionReview, spec: JsonObject, name: string): JsonObject {
    const secrets = listAt(this.#require(review, name), 'imagePullSecrets');
    const isWithout = listAt(spec, 'imagePullSecrets').length === 0 && secrets.length > 0;
    const pulls = isWithout ? { imagePullSecrets: secrets } : {};
    return { ...review.object, spec: { ...spec, serviceAccountName: name, serviceAccount: name, ...pulls } };
  }

  #require(review: AdmissionReview, name: string): JsonObject {
    const account = this.#find(review, name);
    if (account !== undefined) return account;
    const place = `${review.namespace}/${name}`;
    throw forbidden(review, `error looking up service account ${place}: serviceaccount ${goQuote(name)} not found`);
  }

  #find({ namespace }: AdmissionReview, name: string): JsonObject | undefined {
    return this.#store.get(ACCOUNTS, `${namespace}/${name}`)?.value;
  }

  async #untilDefault(review: AdmissionReview, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const end = (): void => resolve(undefined);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#waitMs)]);
    limit.addEventListener('abort', end);
    const unsubscribe = this.#store.subscribe(ACCOUNTS, () => {
      if (this.#find(review, DEFAULT_ACCOUNT) !== undefined) end();
    });
    try {
      await promise;
    } finally {
      unsubscribe();
      limit.removeEventListener('abort', end);
    }
    signal.throwIfAborted();
  }
}

function isMirror({ object = {} }: AdmissionReview): boolean {
  return objectAt(objectAt(object, 'metadata'), 'annotations')[MIRROR] !== undefined;
}

function forbidden(review: AdmissionReview, why: string): StatusError {
  return forbiddenError(review.resource, reviewedName(review), why);
}
