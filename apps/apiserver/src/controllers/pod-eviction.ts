import type { JsonObject } from '@smalt/json';
import { selectorMatches } from '@smalt/kubernetes-api';
import type { Resource } from '@smalt/resource';

import {
  badRequestError,
  forbiddenError,
  notFoundError,
  tooManyRequestsError,
  unclassifiedError,
} from '../errors/make-status-error.ts';
import { isConflict, type StatusError } from '../errors/status-error.ts';
import { objectAt, objectsAt, textAt } from '../identity/object-fields.ts';
import {
  finalizersOf,
  isBeingDeleted,
  metadataNumber,
  metadataOf,
  metadataText,
  timestamp,
} from '../registry/object-metadata.ts';
import type { Registry } from '../registry/registry.ts';
import { storageKey } from '../registry/storage-name.ts';
import type { DeleteOptions, ObjectKey, WriteContext } from '../registry/write-context.ts';
import type { Store } from '../store/store.ts';
import { budgetsIn } from './disruption-budgets.ts';
import { isPodReady, withAllowedCondition } from './disruption-status.ts';

export const EVICTION = { group: 'policy', version: 'v1', kind: 'Eviction' };
const REFUSAL = "Cannot evict pod as it would violate the pod's disruption budget.";
const BUDGETS = { group: 'policy', plural: 'poddisruptionbudget' };
const MAX_DISRUPTED = 2_000;
const MAX_ATTEMPTS = 20;

export interface EvictionDependencies {
  readonly store: Store;
  readonly registry: Registry;
  readonly pods: Resource;
  readonly budgets: Resource;
  readonly now: () => number;
}

export interface EvictionRequest {
  readonly key: ObjectKey;
  readonly eviction: JsonObject;
  readonly options: DeleteOptions;
  readonly context: WriteContext;
}

/** Deletes a pod if its disruption budget allows it; else 429 with the budget that stands in the way. */
export async function evictPod(deps: EvictionDependencies, request: EvictionRequest): Promise<void> {
  const { key, eviction, options } = request;
  if (metadataText(eviction, 'name') !== key.name) {
    throw badRequestError('name in URL does not match name in Eviction object');
  }
  const pod = deps.store.get('pods', storageKey(key))?.value;
  if (pod === undefined) throw notFoundError(deps.pods, key.name);
  if (hasEnded(pod)) return remove(deps, request, options);
  const guarded = atVersion(options, pod);
  // Nothing is lost with a pod that does not run yet, provided that it does not start just now.
  if (objectAt(pod, 'status')['phase'] === 'Pending') return remove(deps, request, guarded);
  const budget = budgetOf(deps.store, pod);
  if (budget === undefined) return remove(deps, request, options);
  if (!isPodReady(pod) && mayGoUnready(budget))
    return removeUnready(deps, request, guarded, metadataText(budget, 'name'));
  await takeFromBudget(deps, request, metadataText(budget, 'name'));
  return remove(deps, request, options);
}

function hasEnded(pod: JsonObject): boolean {
  const { phase } = objectAt(pod, 'status');
  return phase === 'Succeeded' || phase === 'Failed' || isBeingDeleted(pod);
}

function atVersion(options: DeleteOptions, pod: JsonObject): DeleteOptions {
  const resourceVersion = options.preconditions?.resourceVersion ?? metadataText(pod, 'resourceVersion');
  return { ...options, preconditions: { ...options.preconditions, resourceVersion } };
}

function budgetOf(store: Store, pod: JsonObject): JsonObject | undefined {
  const namespace = metadataText(pod, 'namespace');
  const labels = objectAt(metadataOf(pod), 'labels');
  const budgets = budgetsIn(store, namespace)
    .map(({ value }) => value)
    .filter((budget) => {
      const spec = objectAt(budget, 'spec');
      return spec['selector'] !== undefined && selectorMatches(objectAt(spec, 'selector'), labels);
    });
  if (budgets.length > 1) {
    throw unclassifiedError(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  return budgets[0];
}

function mayGoUnready(budget: JsonObject): boolean {
  if (objectAt(budget, 'spec')['unhealthyPodEvictionPolicy'] === 'AlwaysAllow') return true;
  const status = objectAt(budget, 'status');
  const desired = numberIn(status, 'desiredHealthy');
  return desired > 0 && numberIn(status, 'currentHealthy') >= desired;
}

async function removeUnready(
  deps: EvictionDependencies,
  request: EvictionRequest,
  options: DeleteOptions,
  budget: string,
): Promise<void> {
  try {
    await remove(deps, request, options);
  } catch (error) {
    if (!isConflict(error) || request.options.preconditions?.resourceVersion !== undefined) throw error;
    throw stillProcessed(budget);
  }
}

async function takeFromBudget(deps: EvictionDependencies, request: EvictionRequest, name: string): Promise<void> {
  const { key, context } = request;
  const budgetKey = { namespace: key.namespace, name };
  for (let attempt = 1; ; attempt++) {
    const budget = deps.store.get('poddisruptionbudgets.policy', storageKey(budgetKey))?.value;
    if (budget === undefined) return;
    const refusal = refusalOf(budget);
    if (refusal !== undefined) throw refusal;
    if (context.dryRun) return;
    const status = statusWithout(objectAt(budget, 'status'), key.name, deps.now());
    try {
      const options = { context, subresource: 'status' } as const;
      await deps.registry.update(deps.budgets, budgetKey, { ...budget, status }, options);
      return;
    } catch (error) {
      if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function statusWithout(status: JsonObject, pod: string, now: number): JsonObject {
  const disruptedPods = { ...objectAt(status, 'disruptedPods'), [pod]: timestamp(now) };
  const next = { ...status, disruptionsAllowed: numberIn(status, 'disruptionsAllowed') - 1, disruptedPods };
  return next.disruptionsAllowed === 0 ? withAllowedCondition(next, now) : next;
}

function refusalOf(budget: JsonObject): StatusError | undefined {
  const name = metadataText(budget, 'name');
  const status = objectAt(budget, 'status');
  if (numberIn(status, 'observedGeneration') < (metadataNumber(budget, 'generation') ?? 0)) return stillProcessed(name);
  const allowed = numberIn(status, 'disruptionsAllowed');
  if (allowed < 0) return forbiddenError(BUDGETS, name, 'pdb disruptions allowed is negative');
  if (Object.keys(objectAt(status, 'disruptedPods')).length > MAX_DISRUPTED) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    return forbiddenError(BUDGETS, name, why);
  }
  return allowed > 0 ? undefined : tooManyRequestsError(REFUSAL, 0, [cause(whyNone(name, status))]);
}

function whyNone(name: string, status: JsonObject): string {
  const condition = objectsAt(status, 'conditions').find(({ type }) => type === 'DisruptionAllowed') ?? {};
  const message = condition['status'] === 'False' ? textAt(condition, 'message') : '';
  const reason = textAt(condition, 'reason');
  if (message !== '' && reason === 'SyncFailed') {
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${message}`;
  }
  const [current, desired] = [numberIn(status, 'currentHealthy'), numberIn(status, 'desiredHealthy')];
  if (current <= desired)
    return `The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`;
  const start = `The disruption budget ${name} does not allow evicting pods currently`;
  return message === '' ? start : `${start} (${reason}): ${message}`;
}

function stillProcessed(name: string): StatusError {
  const message = `The disruption budget ${name} is still being processed by the server.`;
  return tooManyRequestsError(REFUSAL, 10, [cause(message)]);
}

function cause(message: string): { readonly reason: string; readonly message: string } {
  return { reason: 'DisruptionBudget', message };
}

function numberIn(object: JsonObject, name: string): number {
  const value = object[name];
  return typeof value === 'number' ? value : 0;
}

// Whoever watches the pod learns from this condition why it goes. One that goes at once has nobody left to tell.
async function remove(deps: EvictionDependencies, request: EvictionRequest, given: DeleteOptions): Promise<void> {
  const { key, context } = request;
  const pod = deps.store.get('pods', storageKey(key))?.value;
  const isWatched =
    pod !== undefined && !isBeingDeleted(pod) && (given.gracePeriodSeconds !== 0 || finalizersOf(pod).length > 0);
  const options = isWatched && !context.dryRun ? await markTarget(deps, request, given) : given;
  await deps.registry.delete(deps.pods, key, options, context);
}

async function markTarget(
  deps: EvictionDependencies,
  { key, context }: EvictionRequest,
  options: DeleteOptions,
): Promise<DeleteOptions> {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
    lastTransitionTime: timestamp(deps.now()),
  };
  const metadata = {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  const patch = { kind: 'strategic', body: { metadata, status: { conditions: [condition] } } } as const;
  const { object } = await deps.registry.patch(deps.pods, key, patch, { context, subresource: 'status' });
  if (resourceVersion === undefined) return options;
  return { ...options, preconditions: { ...options.preconditions, resourceVersion: String(object.resourceVersion) } };
}
