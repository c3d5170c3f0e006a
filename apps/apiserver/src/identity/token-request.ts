import { isJsonObject, type JsonObject } from '@smalt/json';
import { invalid, type FieldError } from '@smalt/resource';

import { badRequestError, conflictError, invalidError, notFoundError } from '../errors/make-status-error.ts';
import { findLive, type LiveObject, type LiveObjects } from './live-objects.ts';
import { objectAt, textAt, textsAt } from './object-fields.ts';
import type { ServiceAccountTokens, TokenBinding } from './service-account-tokens.ts';

const TOKEN_REQUEST = { group: 'authentication.k8s.io', kind: 'TokenRequest', plural: 'TokenRequest' };
const DEFAULT_SECONDS = 3_600;
const SHORTEST_SECONDS = 600;
const LONGEST_SECONDS = 2 ** 32;

export interface TokenRequestDependencies {
  readonly tokens: ServiceAccountTokens;
  readonly objects: LiveObjects;
  readonly now: () => Date;
}

interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** Answers a TokenRequest for the service account that the path names: the same object, with a token in its status. */
export function requestToken(deps: TokenRequestDependencies, place: Place, request: JsonObject): JsonObject {
  const metadata = objectAt(request, 'metadata');
  checkPlace(metadata, place);
  const account = findLive(deps.objects, 'serviceaccounts', place);
  if (account === undefined) throw notFoundError({ group: '', plural: 'serviceaccounts' }, place.name);
  checkUid(textAt(metadata, 'uid'), account);

  const spec = objectAt(request, 'spec');
  const given = textsAt(spec, 'audiences');
  const audiences = given.length === 0 ? deps.tokens.audiences : given;
  const expirationSeconds = expirationOf(spec);
  const bound = spec['boundObjectRef'];
  const binding = isJsonObject(bound) ? bindingTo(deps.objects, bound, place) : {};
  const now = deps.now();
  const token = deps.tokens.issue({
    namespace: place.namespace,
    serviceAccount: account,
    audiences,
    expirationSeconds,
    binding,
  });
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { ...metadata, ...place, uid: account.uid, creationTimestamp: toSeconds(now) },
    spec: { audiences, expirationSeconds, boundObjectRef: bound ?? null },
    status: { token, expirationTimestamp: toSeconds(new Date(now.getTime() + expirationSeconds * 1_000)) },
  };
}

function checkPlace(metadata: JsonObject, place: Place): void {
  const name = textAt(metadata, 'name');
  if (name !== '' && name !== place.name) {
    refuse(place.name, invalid('metadata.name', name, 'must match the service account name if specified'));
  }
  const namespace = textAt(metadata, 'namespace');
  if (namespace !== '' && namespace !== place.namespace) {
    const detail = 'must match the service account namespace if specified';
    refuse(place.name, invalid('metadata.namespace', namespace, detail));
  }
}

function checkUid(uid: string, account: LiveObject): void {
  if (uid === '' || uid === account.uid) return;
  const why = `the UID in the token request (${uid}) does not match the UID of the service account (${account.uid})`;
  throw conflictError(TOKEN_REQUEST, account.name, why);
}

function expirationOf(spec: JsonObject): number {
  const given = spec['expirationSeconds'] ?? DEFAULT_SECONDS;
  if (typeof given === 'number' && Number.isInteger(given) && given >= SHORTEST_SECONDS && given <= LONGEST_SECONDS) {
    return given;
  }
  const isLong = (typeof given === 'number' || typeof given === 'bigint') && given > LONGEST_SECONDS;
  const limit = isLong ? 'larger than 2^32 seconds' : 'less than 10 minutes';
  return refuse('', invalid('spec.expirationSeconds', given, `may not specify a duration ${limit}`));
}

function bindingTo(objects: LiveObjects, reference: JsonObject, account: Place): TokenBinding {
  const apiVersion = textAt(reference, 'apiVersion');
  const kind = textAt(reference, 'kind');
  const place = { namespace: account.namespace, name: textAt(reference, 'name') };
  const isCore = !apiVersion.includes('/');
  if (isCore && kind === 'Pod') return podBinding(objects, reference, { place, account });
  if (isCore && kind === 'Secret') return { secret: findBound(objects, 'secrets', reference, place) };
  if (isCore && kind === 'Node') return { node: findBound(objects, 'nodes', reference, { ...place, namespace: '' }) };
  throw badRequestError(`cannot bind token to object of type ${printKind(apiVersion, kind)}`);
}

function podBinding(
  objects: LiveObjects,
  reference: JsonObject,
  { place, account }: { readonly place: Place; readonly account: Place },
): TokenBinding {
  const live = findLive(objects, 'pods', place);
  if (live === undefined) throw notFoundError({ group: '', plural: 'pods' }, place.name);
  const spec = objectAt(live.value, 'spec');
  if (textAt(spec, 'serviceAccountName') !== account.name) {
    const what = `cannot bind token for serviceaccount "${account.name}"`;
    throw badRequestError(`${what} to pod running with different serviceaccount name.`);
  }
  const pod = findBound(objects, 'pods', reference, place);
  const nodeName = textAt(spec, 'nodeName');
  if (nodeName === '') return { pod };
  // The node may be gone; its name still tells where the pod is.
  const node = findLive(objects, 'nodes', { namespace: '', name: nodeName });
  return { pod, node: { name: nodeName, uid: node?.uid ?? '' } };
}

function findBound(objects: LiveObjects, plural: string, reference: JsonObject, place: Place): LiveObject {
  const live = findLive(objects, plural, place);
  if (live === undefined) throw notFoundError({ group: '', plural }, place.name);
  const uid = textAt(reference, 'uid');
  if (uid === '' || uid === live.uid) return live;
  const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflictError({ group: '', plural: textAt(reference, 'kind') }, place.name, why);
}

function printKind(apiVersion: string, kind: string): string {
  const slash = apiVersion.indexOf('/');
  const group = slash === -1 ? '' : apiVersion.slice(0, slash);
  return `${group}/${apiVersion.slice(slash + 1)}, Kind=${kind}`;
}

function refuse(name: string, error: FieldError): never {
  throw invalidError(TOKEN_REQUEST, name, [error]);
}

function toSeconds(date: Date): string {
  return date.toISOString().replace(/[.]\d+Z$/, 'Z');
}
