import { randomUUID } from 'node:crypto';

import { isJsonObject, JsonError, parseJson, printJson, type JsonObject, type JsonValue } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { resolveService, type ServiceAddress } from '../aggregation/resolve-service.ts';
import { badRequestError } from '../errors/make-status-error.ts';
import { objectAt, textAt, textsAt } from '../identity/object-fields.ts';
import type { AdmissionReview } from '../registry/admission.ts';
import type { Store } from '../store/store.ts';
import { admissionRequest, versionedObject } from './admission-request.ts';
import { networkProblem } from './network-problem.ts';
import { postJson } from './post-json.ts';
import type { Webhook } from './webhook.ts';
import { WebhookCallError, WebhookDenial } from './webhook-error.ts';

/** A write, in the form in which a webhook asked for it. */
export interface WebhookCall {
  readonly webhook: Webhook;
  readonly review: AdmissionReview;
  readonly matched: Resource;
  readonly isMutating: boolean;
}

/**
 * Asks a webhook about a write and returns the JSON patch it answers with; undefined when it changes nothing. Throws a
 * WebhookDenial when the webhook refuses, and a WebhookCallError when it could not be asked.
 */
export async function callWebhook(
  store: Store,
  call: WebhookCall,
  signal: AbortSignal,
): Promise<JsonValue | undefined> {
  const { webhook, review } = call;
  if (review.dryRun && !webhook.supportsDryRun) {
    throw badRequestError(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`);
  }
  const uid = randomUUID();
  const answer = await post(store, call, printJson(reviewDocument(call, uid)), signal);
  const response = verified(call, answer, uid);
  for (const warning of textsAt(response, 'warnings')) review.addWarning(warning);
  if (response['allowed'] !== true) throw new WebhookDenial(webhook.name, objectAt(response, 'status'));
  return patchOf(webhook, response);
}

function reviewDocument({ webhook, review, matched }: WebhookCall, uid: string): JsonObject {
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${webhook.reviewVersion}`,
    request: {
      uid,
      ...admissionRequest(review, matched),
      object: versionedObject(review.object, matched, review.resource),
      oldObject: versionedObject(review.oldObject, matched, review.resource),
    },
  };
}

async function post(store: Store, call: WebhookCall, body: string, given: AbortSignal): Promise<JsonObject> {
  const { webhook } = call;
  const { url, connect } = targetOf(store, webhook);
  const timeout = AbortSignal.timeout(webhook.timeoutSeconds * 1000);
  const signal = AbortSignal.any([given, timeout]);
  const bundle = textAt(webhook.clientConfig, 'caBundle');
  const ca = bundle === '' ? undefined : Buffer.from(bundle, 'base64').toString('utf8');
  try {
    const answer = await postJson({ url, ...(connect === undefined ? {} : { connect }), ca, signal }, body);
    if (answer.code !== 200) throw new TypeError(refusalOf(answer.code, answer.body));
    const value = parseJson(answer.body);
    if (isJsonObject(value)) return value;
    throw new TypeError('the answer is not an object');
  } catch (error) {
    given.throwIfAborted();
    const reason =
      error instanceof TypeError || error instanceof JsonError
        ? error.message
        : `Post "${textOf(url)}": ${networkProblem(error, timeout)}`;
    throw new WebhookCallError(webhook.name, `failed to call webhook: ${reason}`, { cause: error });
  }
}

function targetOf(store: Store, webhook: Webhook): { readonly url: URL; readonly connect?: ServiceAddress } {
  const { clientConfig } = webhook;
  const query = `timeout=${webhook.timeoutSeconds}s`;
  const given = textAt(clientConfig, 'url');
  if (given !== '') {
    const url = new URL(given);
    url.search = query;
    return { url };
  }
  const service = objectAt(clientConfig, 'service');
  const [namespace, name] = [textAt(service, 'namespace'), textAt(service, 'name')];
  const port = typeof service['port'] === 'number' ? service['port'] : 443;
  const url = new URL(`https://${name}.${namespace}.svc:${port}${textAt(service, 'path') || '/'}?${query}`);
  try {
    return { url, connect: resolveService(store, { namespace, name, port }) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new WebhookCallError(webhook.name, `failed to call webhook: Post "${textOf(url, port)}": ${why}`, {
      cause: error,
    });
  }
}

// A URL drops the port that its scheme has anyway; the address of a service is always told in full.
function textOf(url: URL, port?: number): string {
  const isShort = url.port === '' && (port !== undefined || url.hostname.endsWith('.svc'));
  return isShort ? `${url.protocol}//${url.hostname}:${port ?? 443}${url.pathname}${url.search}` : url.href;
}

function refusalOf(code: number, body: string): string {
  if (code === 404) return 'the server could not find the requested resource';
  if (code >= 500)
    return `an error on the server (${JSON.stringify(body.trim())}) has prevented the request from succeeding`;
  return `the server responded with the status code ${code} but did not return more information`;
}

function verified({ webhook, isMutating }: WebhookCall, answer: JsonObject, uid: string): JsonObject {
  const invalid = (why: string): WebhookCallError =>
    new WebhookCallError(webhook.name, `received invalid webhook response: ${why}`);
  const { response, kind, apiVersion } = answer;
  if (!isJsonObject(response)) throw invalid('webhook response was absent');
  if (webhook.reviewVersion === 'v1beta1') return response;
  if (response['uid'] !== uid)
    throw invalid(`expected response.uid="${uid}", got ${JSON.stringify(textAt(response, 'uid'))}`);
  if (kind !== 'AdmissionReview' || apiVersion !== 'admission.k8s.io/v1') {
    const got = `${textAt(answer, 'apiVersion')}, Kind=${textAt(answer, 'kind')}`;
    throw invalid(`expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${got}`);
  }
  const hasPatch = textAt(response, 'patch') !== '';
  const hasType = textAt(response, 'patchType') !== '';
  if (!isMutating && hasPatch) throw invalid('validating webhook may not return response.patch');
  if (!isMutating && hasType) throw invalid('validating webhook may not return response.patchType');
  if (hasPatch && !hasType) throw invalid('webhook returned response.patch but not response.patchType');
  if (!hasPatch && hasType) throw invalid('webhook returned response.patchType but not response.patch');
  return response;
}

function patchOf(webhook: Webhook, response: JsonObject): JsonValue | undefined {
  const encoded = textAt(response, 'patch');
  if (encoded === '') return undefined;
  const type = textAt(response, 'patchType');
  if (type !== '' && type !== 'JSONPatch') {
    throw new WebhookCallError(webhook.name, `unsupported patch type ${JSON.stringify(type)}`);
  }
  try {
    const patch = parseJson(Buffer.from(encoded, 'base64').toString('utf8'));
    return Array.isArray(patch) && patch.length === 0 ? undefined : patch;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const why = `received undecodable patch in webhook response: ${error.message}`;
    throw new WebhookCallError(webhook.name, why, { cause: error });
  }
}
