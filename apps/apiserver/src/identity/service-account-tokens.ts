import { randomUUID, timingSafeEqual } from 'node:crypto';

import type { JsonObject } from '@smalt/json';
import { goQuote } from '@smalt/resource';

import { readToken, type ReadToken, type TokenSigner } from './json-web-token.ts';
import { findLive, type LiveObject, type LiveObjects } from './live-objects.ts';
import { objectAt, textAt, textsAt } from './object-fields.ts';
import { serviceAccountGroups, serviceAccountUserName } from './service-account-name.ts';
import { CREDENTIAL_ID, type User } from './user.ts';

const LEGACY_ISSUER = 'kubernetes/serviceaccount';
/** Clocks differ a little, and what is being deleted needs its identity to say good-bye. */
const LEEWAY_MS = 60_000;
const MOST_VERIFIED = 1_024;
const EXTRA = 'authentication.kubernetes.io/';

/** What a token turned out to be. Of another issuer: somebody else may know it. */
export type TokenVerdict =
  | { readonly kind: 'user'; readonly user: User; readonly audiences: readonly string[] }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'unknown' };

/** The object a token ends with. A token for a pod also names the node of the pod. */
export interface TokenBinding {
  readonly pod?: ObjectReference;
  readonly secret?: ObjectReference;
  readonly node?: ObjectReference;
}

export interface ObjectReference {
  readonly name: string;
  readonly uid: string;
}

export interface TokenClaims {
  readonly namespace: string;
  readonly serviceAccount: ObjectReference;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly binding: TokenBinding;
}

export interface ServiceAccountTokensOptions {
  readonly signer: TokenSigner;
  readonly issuer: string;
  /** Whom a token is for that is to be accepted by this server. */
  readonly audiences: readonly string[];
  readonly objects: LiveObjects;
  readonly now: () => Date;
}

/** Issues the tokens of service accounts and checks them, each time against the objects they speak of. */
export class ServiceAccountTokens {
  readonly audiences: readonly string[];
  readonly #options: ServiceAccountTokensOptions;
  /** Tokens whose signature was checked, the one used last at the end. */
  readonly #verified = new Map<string, ReadToken>();

  constructor(options: ServiceAccountTokensOptions) {
    this.#options = options;
    this.audiences = options.audiences;
  }

  issue(claims: TokenClaims): string {
    const seconds = Math.floor(this.#options.now().getTime() / 1_000);
    const { namespace, serviceAccount, audiences, expirationSeconds, binding } = claims;
    return this.#options.signer.sign({
      aud: audiences,
      exp: seconds + expirationSeconds,
      iat: seconds,
      iss: this.#options.issuer,
      jti: randomUUID(),
      'kubernetes.io': { namespace, ...bindingClaims(binding), serviceaccount: reference(serviceAccount) },
      nbf: seconds,
      sub: serviceAccountUserName({ namespace, name: serviceAccount.name }),
    });
  }

  /** A token without an end, for a Secret of the type `kubernetes.io/service-account-token`. */
  issueLegacy(namespace: string, serviceAccount: ObjectReference, secretName: string): string {
    return this.#options.signer.sign({
      iss: LEGACY_ISSUER,
      'kubernetes.io/serviceaccount/namespace': namespace,
      'kubernetes.io/serviceaccount/secret.name': secretName,
      'kubernetes.io/serviceaccount/service-account.name': serviceAccount.name,
      'kubernetes.io/serviceaccount/service-account.uid': serviceAccount.uid,
      sub: serviceAccountUserName({ namespace, name: serviceAccount.name }),
    });
  }

  /** Says whom a token stands for, provided that it is for one of the audiences. */
  authenticate(token: string, audiences: readonly string[] = this.audiences): TokenVerdict {
    const read = this.#verified.get(token) ?? readToken(token);
    const issuer = read?.claims['iss'];
    if (read === undefined || (issuer !== this.#options.issuer && issuer !== LEGACY_ISSUER)) return { kind: 'unknown' };
    if (!this.#isVerified(token, read)) return refused('invalid signature, no keys found');
    const given = audiencesOf(read.claims);
    // Tokens of the old kind name no audience: they are for this server.
    const own = given.length === 0 ? this.audiences : given;
    const shared = own.filter((audience) => audiences.includes(audience));
    if (shared.length === 0) {
      return refused(`token audiences ${list(own)} is invalid for the target audiences ${list(audiences)}`);
    }
    const outcome = issuer === LEGACY_ISSUER ? this.#legacyUser(read.claims, token) : this.#boundUser(read.claims);
    return typeof outcome === 'string' ? refused(outcome) : { kind: 'user', user: outcome, audiences: shared };
  }

  #isVerified(token: string, read: ReadToken): boolean {
    if (!this.#verified.delete(token) && !this.#options.signer.verify(read)) return false;
    this.#verified.set(token, read);
    const [oldest] = this.#verified.keys();
    if (this.#verified.size > MOST_VERIFIED && oldest !== undefined) this.#verified.delete(oldest);
    return true;
  }

  #boundUser(claims: JsonObject): User | string {
    const problem = this.#timeProblem(claims);
    if (problem !== undefined) return problem;
    const own = objectAt(claims, 'kubernetes.io');
    const namespace = textAt(own, 'namespace');
    const account = readReference(objectAt(own, 'serviceaccount'));
    const place = { namespace, name: account.name };
    const live = findLive(this.#options.objects, 'serviceaccounts', place);
    if (live === undefined) return `serviceaccounts ${goQuote(account.name)} not found`;
    if (live.uid !== account.uid) return `service account UID (${live.uid}) does not match claim (${account.uid})`;
    if (this.#isGone(live)) return `service account ${namespace}/${account.name} has been deleted`;
    const binding = readBinding(own);
    return this.#bindingProblem(binding, namespace) ?? userOf(place, account.uid, extraOf(claims, binding));
  }

  #bindingProblem({ pod, secret, node }: TokenBinding, namespace: string): string | undefined {
    if (secret !== undefined) {
      const problem = this.#referenceProblem('secret', { namespace, ...secret });
      if (problem !== undefined) return problem;
    }
    if (pod !== undefined) return this.#referenceProblem('pod', { namespace, ...pod });
    return node === undefined ? undefined : this.#referenceProblem('node', { namespace: '', ...node });
  }

  #referenceProblem(
    kind: 'node' | 'pod' | 'secret',
    wanted: ObjectReference & { readonly namespace: string },
  ): string | undefined {
    const live = findLive(this.#options.objects, `${kind}s`, wanted);
    if (live === undefined) return 'service account token has been invalidated';
    if (live.uid !== wanted.uid) {
      return `${kind} UID (${live.uid}) does not match service account ${kind} ref claim (${wanted.uid})`;
    }
    return this.#isGone(live) ? 'service account token has been invalidated' : undefined;
  }

  #legacyUser(claims: JsonObject, token: string): User | string {
    const namespace = textAt(claims, 'kubernetes.io/serviceaccount/namespace');
    const secretName = textAt(claims, 'kubernetes.io/serviceaccount/secret.name');
    const name = textAt(claims, 'kubernetes.io/serviceaccount/service-account.name');
    const uid = textAt(claims, 'kubernetes.io/serviceaccount/service-account.uid');
    const secret = findLive(this.#options.objects, 'secrets', { namespace, name: secretName });
    if (secret === undefined || this.#isGone(secret)) return 'Token has been invalidated';
    const kept = Buffer.from(textAt(objectAt(secret.value, 'data'), 'token'), 'base64');
    const given = Buffer.from(token);
    if (kept.length !== given.length || !timingSafeEqual(kept, given)) return "Token does not match server's copy";
    const live = findLive(this.#options.objects, 'serviceaccounts', { namespace, name });
    if (live === undefined) return `serviceaccounts ${goQuote(name)} not found`;
    if (this.#isGone(live)) return `ServiceAccount ${namespace}/${name} has been deleted`;
    if (live.uid !== uid) return `ServiceAccount UID (${live.uid}) does not match claim (${uid})`;
    return userOf({ namespace, name }, uid, {});
  }

  #timeProblem(claims: JsonObject): string | undefined {
    const now = this.#options.now().getTime();
    const [expiry, notBefore, issuedAt] = ['exp', 'nbf', 'iat'].map((name) => {
      const value = claims[name];
      return typeof value === 'number' ? value * 1_000 : undefined;
    });
    if (notBefore !== undefined && now + LEEWAY_MS < notBefore) return 'service account token is not valid yet';
    if (expiry === undefined || now - LEEWAY_MS > expiry) return 'service account token has expired';
    if (issuedAt !== undefined && now + LEEWAY_MS < issuedAt) return 'service account token is issued in the future';
    return undefined;
  }

  #isGone({ deletedAt }: LiveObject): boolean {
    return deletedAt !== undefined && deletedAt < this.#options.now().getTime() - LEEWAY_MS;
  }
}

function bindingClaims({ pod, secret, node }: TokenBinding): JsonObject {
  return {
    ...(node === undefined ? {} : { node: reference(node) }),
    ...(pod === undefined ? {} : { pod: reference(pod) }),
    ...(secret === undefined ? {} : { secret: reference(secret) }),
  };
}

function reference({ name, uid }: ObjectReference): JsonObject {
  return uid === '' ? { name } : { name, uid };
}

function readReference(object: JsonObject): ObjectReference {
  return { name: textAt(object, 'name'), uid: textAt(object, 'uid') };
}

function readBinding(claims: JsonObject): TokenBinding {
  const at = (name: string): ObjectReference => readReference(objectAt(claims, name));
  return {
    ...(claims['pod'] === undefined ? {} : { pod: at('pod') }),
    ...(claims['secret'] === undefined ? {} : { secret: at('secret') }),
    ...(claims['node'] === undefined ? {} : { node: at('node') }),
  };
}

function audiencesOf(claims: JsonObject): readonly string[] {
  const single = textAt(claims, 'aud');
  return single === '' ? textsAt(claims, 'aud') : [single];
}

function extraOf(claims: JsonObject, { pod, node }: TokenBinding): User['extra'] {
  const tokenId = textAt(claims, 'jti');
  return {
    ...(tokenId === '' ? {} : { [CREDENTIAL_ID]: [`JTI=${tokenId}`] }),
    ...(node === undefined ? {} : { [`${EXTRA}node-name`]: [node.name] }),
    ...(node === undefined || node.uid === '' ? {} : { [`${EXTRA}node-uid`]: [node.uid] }),
    ...(pod === undefined ? {} : { [`${EXTRA}pod-name`]: [pod.name], [`${EXTRA}pod-uid`]: [pod.uid] }),
  };
}

function userOf(place: { readonly namespace: string; readonly name: string }, uid: string, extra: User['extra']): User {
  return { name: serviceAccountUserName(place), uid, groups: serviceAccountGroups(place.namespace), extra };
}

function refused(message: string): TokenVerdict {
  return { kind: 'refused', message };
}

function list(items: readonly string[]): string {
  return `[${items.map(goQuote).join(' ')}]`;
}
