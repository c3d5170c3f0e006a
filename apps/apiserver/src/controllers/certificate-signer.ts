import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { isConflict, isNotFound } from '../errors/status-error.ts';
import type { CertificateAuthority } from '../identity/certificate-authority.ts';
import { IdentityError } from '../identity/identity-error.ts';
import { objectAt, objectsAt, textAt, textsAt } from '../identity/object-fields.ts';
import { isKnownSigner, signRequest } from '../identity/sign-request.ts';
import { isBeingDeleted, timestamp } from '../registry/object-metadata.ts';
import { storageName } from '../registry/storage-name.ts';
import { requireResource, type ControllerDependencies } from './controller-dependencies.ts';
import { WorkLoop } from './work-loop.ts';

/** Signs the CertificateSigningRequests that were approved, and says why when it does not. */
export class CertificateSigner implements AsyncDisposable {
  readonly #deps: ControllerDependencies;
  readonly #authority: CertificateAuthority;
  readonly #requests: Resource;
  readonly #loop: WorkLoop;
  readonly #unsubscribe: () => void;

  constructor(deps: ControllerDependencies, authority: CertificateAuthority) {
    this.#deps = deps;
    this.#authority = authority;
    this.#requests = requireResource(deps.catalog, 'certificates.k8s.io', 'v1', 'certificatesigningrequests');
    this.#loop = new WorkLoop({
      reconcile: (name, signal) => this.#reconcile(name, signal),
      onFailure: deps.onFailure,
    });
    const storage = storageName(this.#requests);
    this.#unsubscribe = deps.store.subscribe(storage, (events) => {
      for (const { type, object } of events) if (type !== 'DELETED') this.#loop.add(object.name);
    });
    for (const { name } of deps.store.range(storage)) this.#loop.add(name);
  }

  idle(): Promise<void> {
    return this.#loop.idle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    await this.#loop[Symbol.asyncDispose]();
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<undefined> {
    const request = this.#deps.store.get(storageName(this.#requests), `/${name}`)?.value;
    if (request === undefined || !isToBeSigned(request)) return undefined;
    const object = { ...request, status: this.#statusFor(request) };
    const options = { context: this.#deps.contextFor(signal), subresource: 'status' } as const;
    try {
      await this.#deps.registry.update(this.#requests, { namespace: '', name }, object, options);
    } catch (error) {
      if (isConflict(error)) this.#loop.add(name);
      else if (!isNotFound(error)) throw error;
    }
    return undefined;
  }

  #statusFor(request: JsonObject): JsonObject {
    const spec = objectAt(request, 'spec');
    const status = objectAt(request, 'status');
    const pem = Buffer.from(textAt(spec, 'request'), 'base64').toString('utf8');
    const seconds = spec['expirationSeconds'];
    const now = this.#deps.now();
    try {
      const certificate = signRequest(this.#authority, pem, {
        signerName: textAt(spec, 'signerName'),
        usages: textsAt(spec, 'usages'),
        expirationSeconds: typeof seconds === 'number' ? seconds : undefined,
        now: new Date(now),
      });
      return { ...status, certificate: Buffer.from(certificate).toString('base64') };
    } catch (error) {
      if (!(error instanceof IdentityError)) throw error;
      return { ...status, conditions: [...objectsAt(status, 'conditions'), failure(error.message, now)] };
    }
  }
}

function isToBeSigned(request: JsonObject): boolean {
  const status = objectAt(request, 'status');
  const conditions = objectsAt(status, 'conditions');
  const has = (type: string): boolean => conditions.some((condition) => condition['type'] === type);
  if (!has('Approved') || has('Denied') || has('Failed') || isBeingDeleted(request)) return false;
  return textAt(status, 'certificate') === '' && isKnownSigner(textAt(objectAt(request, 'spec'), 'signerName'));
}

function failure(message: string, now: number): JsonObject {
  const at = timestamp(now);
  const reason = 'SignerValidationFailure';
  return { type: 'Failed', status: 'True', reason, message, lastUpdateTime: at, lastTransitionTime: at };
}
