import { isSameJson, type JsonObject } from '@smalt/json';
import { applyJsonPatch, ObjectPatchError } from '@smalt/object-patch';
import type { Resource } from '@smalt/resource';

import type { Authorizer } from '../authorization/authorizer.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { forbiddenError, internalServerError } from '../errors/make-status-error.ts';
import type { AdmissionReview } from '../registry/admission.ts';
import { inOrder } from '../registry/object-metadata.ts';
import type { Store } from '../store/store.ts';
import type { AdmissionStep } from './admission-chain.ts';
import { expressionAuthorizer, newBudget } from './admission-expression.ts';
import { admissionRequest, versionedObject } from './admission-request.ts';
import { callWebhook } from './call-webhook.ts';
import { FollowedList } from './followed-list.ts';
import { isExemptFromWebhooks, matchRules } from './match-rules.ts';
import { matchesSelectors } from './match-selectors.ts';
import { isWebhookCallError } from './webhook-error.ts';
import { webhooksOf, type Webhook } from './webhook.ts';

export interface WebhookDependencies {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly authorizer: Authorizer;
  /** Told of a webhook that failed and was passed over, as it asked for. */
  readonly onIgnoredFailure: (webhook: string, error: unknown) => void;
}

const GROUP = 'admissionregistration.k8s.io';

/** Asks the webhooks that are configured: those that change objects one after the other, the others all at once. */
export class Webhooks implements AdmissionStep, Disposable {
  readonly #deps: WebhookDependencies;
  readonly #mutating: FollowedList<Webhook>;
  readonly #validating: FollowedList<Webhook>;

  constructor(deps: WebhookDependencies) {
    this.#deps = deps;
    this.#mutating = new FollowedList(deps.store, `mutatingwebhookconfigurations.${GROUP}`, webhooksOf);
    this.#validating = new FollowedList(deps.store, `validatingwebhookconfigurations.${GROUP}`, webhooksOf);
  }

  mutate(review: AdmissionReview, signal: AbortSignal): Promise<JsonObject | undefined> | JsonObject | undefined {
    if (this.#mutating.items.length === 0 || isExemptFromWebhooks(review)) return review.object;
    return this.#mutate(review, signal);
  }

  validate(review: AdmissionReview, signal: AbortSignal): Promise<void> | void {
    if (this.#validating.items.length === 0 || isExemptFromWebhooks(review)) return undefined;
    return this.#validate(review, signal);
  }

  [Symbol.dispose](): void {
    this.#mutating[Symbol.dispose]();
    this.#validating[Symbol.dispose]();
  }

  async #mutate(review: AdmissionReview, signal: AbortSignal): Promise<JsonObject | undefined> {
    let { object } = review;
    const again = new Set<Webhook>();
    const asked: Webhook[] = [];
    for (const webhook of this.#mutating.items) {
      const next = await this.#ask(webhook, { ...review, object }, signal);
      // Those who were asked before have not seen what this one made of the object.
      if (next !== undefined && !isSameJson(next, object)) {
        asked.filter(({ wantsReinvocation }) => wantsReinvocation).forEach((earlier) => again.add(earlier));
        object = next;
      }
      if (next !== undefined) asked.push(webhook);
    }
    for (const webhook of again) object = (await this.#ask(webhook, { ...review, object }, signal)) ?? object;
    return object;
  }

  /** The object after this webhook; undefined when the webhook was not asked. */
  async #ask(webhook: Webhook, review: AdmissionReview, signal: AbortSignal): Promise<JsonObject | undefined> {
    const matched = await this.#match(webhook, review);
    if (matched === undefined) return undefined;
    try {
      const patch = await callWebhook(this.#deps.store, { webhook, review, matched, isMutating: true }, signal);
      return patch === undefined ? review.object : patched(webhook, review, matched, patch);
    } catch (error) {
      this.#passOver(webhook, error);
      return review.object;
    }
  }

  async #validate(review: AdmissionReview, signal: AbortSignal): Promise<void> {
    const calls = this.#validating.items.map(async (webhook) => {
      const matched = await this.#match(webhook, review);
      if (matched === undefined) return;
      try {
        await callWebhook(this.#deps.store, { webhook, review, matched, isMutating: false }, signal);
      } catch (error) {
        this.#passOver(webhook, error);
      }
    });
    for (const result of await Promise.allSettled(calls)) if (result.status === 'rejected') throw result.reason;
  }

  #passOver(webhook: Webhook, error: unknown): void {
    if (!isWebhookCallError(error)) throw error;
    if (!webhook.isIgnoredOnFailure) throw internalServerError(error.message, { cause: error });
    this.#deps.onIgnoredFailure(webhook.name, error);
  }

  async #match(webhook: Webhook, review: AdmissionReview): Promise<Resource | undefined> {
    const { store, catalog, authorizer } = this.#deps;
    const matched = matchRules(webhook.rules, review, (group, plural) => catalog.versionsOf(group, plural));
    if (matched === undefined || !matchesSelectors(store, webhook.selectors, review)) return undefined;
    if (webhook.conditions.isEmpty) return matched;
    const language = await import('@smalt/cel');
    const result = webhook.conditions.evaluate({
      language,
      object: versionedObject(review.object, matched, review.resource),
      oldObject: versionedObject(review.oldObject, matched, review.resource),
      request: admissionRequest(review, matched),
      params: null,
      namespaceObject: null,
      authorizer: expressionAuthorizer(authorizer, review.user),
      budget: newBudget(language),
    });
    if (result === 'match') return matched;
    if (result === 'no-match' || webhook.isIgnoredOnFailure) return undefined;
    throw forbiddenError(review.resource, review.name, result.error);
  }
}

function patched(
  webhook: Webhook,
  review: AdmissionReview,
  matched: Resource,
  patch: Parameters<typeof applyJsonPatch>[1],
): JsonObject {
  const { object, resource } = review;
  if (object === undefined) {
    const who = JSON.stringify(webhook.name);
    throw internalServerError(
      `admission webhook ${who} attempted to modify the object, which is not supported for this operation`,
    );
  }
  try {
    // A subresource such as `binding` takes objects of a kind of its own.
    if (review.subresource !== '' && review.subresource !== 'status') return applyJsonPatch(object, patch);
    const next = inOrder(resource, applyJsonPatch(inOrder(matched, object), patch));
    // What a webhook leaves out is filled in as if the writer had left it out.
    return resource.strategy.default(resource.strategy.prune(next).object);
  } catch (error) {
    if (!(error instanceof ObjectPatchError)) throw error;
    throw internalServerError(error.message, { cause: error });
  }
}
