import { isJsonObject, isSameJson, type JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { definitionMarkedForDeletion } from '../custom-resources/plan-definition-deletion.ts';
import { conflictError } from '../errors/make-status-error.ts';
import { isNamespace, namespaceFinalizersOf } from './namespace-lifecycle.ts';
import {
  finalizersOf,
  isBeingDeleted,
  metadataNumber,
  metadataText,
  timestamp,
  withMetadata,
} from './object-metadata.ts';
import { policyOf, type ResourcePolicy } from './resource-policy.ts';
import type { DeleteOptions } from './write-context.ts';

/** What a deletion does: removes the object, or marks it and waits for others, or nothing as it is marked already. */
export type DeletionPlan =
  /** `last` is the state that watchers are told of before the object goes. */
  | { readonly kind: 'remove'; readonly last?: JsonObject }
  | { readonly kind: 'mark'; readonly object: JsonObject }
  | { readonly kind: 'wait' };

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/** Decides what deleting an object means. Throws 409 when a precondition does not hold. */
export function planDeletion(resource: Resource, live: JsonObject, options: DeleteOptions, now: number): DeletionPlan {
  checkPreconditions(resource, live, options);
  if (isNamespace(resource)) return planNamespaceDeletion(live, options, now);
  if (isDefinition(resource) && !isBeingDeleted(live)) {
    return { kind: 'mark', object: definitionMarkedForDeletion(live, now) };
  }
  const policy = policyOf(resource);
  const graceful = policy.isGraceful ? planGrace(live, options, now) : undefined;
  if (graceful?.kind === 'wait') return graceful;
  const base = graceful?.object ?? live;
  const object = withMetadata(base, { finalizers: finalizersAfter(base, policy, options) });
  if (graceful !== undefined && graceful.periodSeconds > 0) return { kind: 'mark', object };
  if (finalizersOf(object).length === 0)
    return graceful === undefined ? { kind: 'remove' } : { kind: 'remove', last: object };
  return markOrWait(markedAsDeleted(object, now), live);
}

function isDefinition({ group, plural }: Resource): boolean {
  return group === 'apiextensions.k8s.io' && plural === 'customresourcedefinitions';
}

function markOrWait(object: JsonObject, live: JsonObject): DeletionPlan {
  return isSameJson(object, live) ? { kind: 'wait' } : { kind: 'mark', object };
}

function markedAsDeleted(object: JsonObject, now: number): JsonObject {
  const generation = metadataNumber(object, 'generation') ?? 0;
  const known = metadataText(object, 'deletionTimestamp');
  const isMarked = known !== '';
  return withMetadata(object, {
    deletionTimestamp: isMarked && Date.parse(known) <= now ? known : timestamp(now),
    deletionGracePeriodSeconds: 0,
    ...(isMarked || generation === 0 ? {} : { generation: generation + 1 }),
  });
}

// A namespace goes in two steps: the first deletion empties it, the last of its own finalizers removes it.
function planNamespaceDeletion(live: JsonObject, options: DeleteOptions, now: number): DeletionPlan {
  if (isBeingDeleted(live)) {
    const isEmpty = namespaceFinalizersOf(live).length === 0 && finalizersOf(live).length === 0;
    return isEmpty ? { kind: 'remove' } : { kind: 'wait' };
  }
  const finalizers = finalizersAfter(live, policyForNamespaces, options);
  const status = isJsonObject(live['status']) ? live['status'] : {};
  const object = { ...live, status: { ...status, phase: 'Terminating' } };
  if (finalizers === undefined && namespaceFinalizersOf(live).length === 0) return { kind: 'remove' };
  return { kind: 'mark', object: withMetadata(object, { deletionTimestamp: timestamp(now), finalizers }) };
}

const policyForNamespaces = { dependents: 'background' } as const;

interface Grace {
  readonly kind: 'grace';
  readonly object: JsonObject;
  readonly periodSeconds: number;
}

function planGrace(
  live: JsonObject,
  options: DeleteOptions,
  now: number,
): Grace | { readonly kind: 'wait' } | undefined {
  const asked = options.gracePeriodSeconds;
  if (isBeingDeleted(live)) return shortenGrace(live, asked === undefined ? undefined : atLeastOne(asked), now);
  const periodSeconds = gracePeriodOf(live, asked);
  const generation = metadataNumber(live, 'generation') ?? 0;
  const object = withMetadata(live, {
    deletionTimestamp: timestamp(now + periodSeconds * 1000),
    deletionGracePeriodSeconds: periodSeconds,
    ...(generation === 0 ? {} : { generation: generation + 1 }),
  });
  return { kind: 'grace', object, periodSeconds };
}

function shortenGrace(
  live: JsonObject,
  asked: number | undefined,
  now: number,
): Grace | { readonly kind: 'wait' } | undefined {
  const current = metadataNumber(live, 'deletionGracePeriodSeconds') ?? 0;
  if (current === 0) return undefined;
  if (asked === undefined || asked >= current) return { kind: 'wait' };
  const earlier = Date.parse(metadataText(live, 'deletionTimestamp')) - (current - asked) * 1000;
  const isPast = earlier < now;
  const periodSeconds = isPast && asked !== 0 ? 1 : asked;
  const deletionTimestamp = timestamp(isPast ? now : earlier);
  const object = withMetadata(live, { deletionTimestamp, deletionGracePeriodSeconds: periodSeconds });
  return { kind: 'grace', object, periodSeconds };
}

// Nobody has to stop a pod that was given to no node, or that has ended.
function gracePeriodOf(pod: JsonObject, asked: number | undefined): number {
  const spec = isJsonObject(pod['spec']) ? pod['spec'] : {};
  const status = isJsonObject(pod['status']) ? pod['status'] : {};
  if ((spec['nodeName'] ?? '') === '' || status['phase'] === 'Failed' || status['phase'] === 'Succeeded') return 0;
  const own = spec['terminationGracePeriodSeconds'];
  return atLeastOne(asked ?? (typeof own === 'number' ? own : 0));
}

function atLeastOne(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

function finalizersAfter(
  object: JsonObject,
  policy: Pick<ResourcePolicy, 'dependents'>,
  options: DeleteOptions,
): readonly string[] | undefined {
  const known = finalizersOf(object);
  if (policy.dependents === 'ignored') return known.length === 0 ? undefined : known;
  const others = known.filter((name) => name !== ORPHAN && name !== FOREGROUND);
  const wanted = dependentsFinalizer(known, policy, options);
  const finalizers = wanted === undefined ? others : [...others, wanted];
  return finalizers.length === 0 ? undefined : finalizers;
}

function dependentsFinalizer(
  known: readonly string[],
  policy: Pick<ResourcePolicy, 'dependents'>,
  options: DeleteOptions,
): string | undefined {
  switch (options.propagationPolicy) {
    case 'Orphan':
      return ORPHAN;
    case 'Foreground':
      return FOREGROUND;
    case 'Background':
      return undefined;
    case undefined:
      return (
        known.find((name) => name === ORPHAN || name === FOREGROUND) ??
        (policy.dependents === 'orphan' ? ORPHAN : undefined)
      );
  }
}

function checkPreconditions(resource: Resource, live: JsonObject, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const kind = { group: resource.group, plural: resource.kind };
  const name = metadataText(live, 'name');
  const currentUid = metadataText(live, 'uid');
  const current = metadataText(live, 'resourceVersion');
  if (uid !== undefined && uid !== currentUid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${currentUid})`;
    throw conflictError(kind, name, `${why}. The object might have been deleted and then recreated`);
  }
  if (resourceVersion !== undefined && resourceVersion !== current) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${current})`;
    throw conflictError(kind, name, `${why}. The object might have been modified`);
  }
}
