import type { JsonObject, JsonValue } from '@smalt/json';
import { subresourceStrategy } from '@smalt/kubernetes-api';
import { formatFieldError, type Resource } from '@smalt/resource';

import { badRequestError, conflictError, unclassifiedError } from '../errors/make-status-error.ts';
import { objectAt, objectsAt, textAt } from '../identity/object-fields.ts';
import { isBeingDeleted, metadataOf, metadataText, timestamp, withMetadata } from '../registry/object-metadata.ts';
import type { ObjectKey } from '../registry/write-context.ts';
import type { Store } from '../store/store.ts';
import { changeStoredObject } from './change-stored-object.ts';

export const BINDING = { group: '', version: 'v1', kind: 'Binding' };
const PODS_BINDING = { group: '', plural: 'pods/binding' };

export interface BindingRequest {
  readonly pods: Resource;
  readonly key: ObjectKey;
  readonly binding: JsonObject;
  readonly dryRun: boolean;
  readonly now: number;
}

/** Refuses a Binding that says something else than its path, or names no node. */
export function checkBinding({ key, binding }: Pick<BindingRequest, 'key' | 'binding'>): void {
  if (metadataText(binding, 'name') !== key.name) {
    throw badRequestError('name in URL does not match name in Binding object');
  }
  const errors = subresourceStrategy(BINDING)?.validate(binding) ?? [];
  const texts = errors.map(formatFieldError);
  if (texts.length > 0) throw unclassifiedError(texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`);
}

/** Gives a pod to a node. A pod that has one already is a conflict. */
export async function bindPod(store: Store, request: BindingRequest): Promise<void> {
  const { pods, key, binding } = request;
  await changeStoredObject(store, pods, key, (pod) => {
    checkPreconditions(key, binding, pod);
    const refusal = refusalOf(pod);
    if (refusal !== undefined) throw conflictError(PODS_BINDING, key.name, refusal);
    return request.dryRun ? { kind: 'nothing' } : { kind: 'write', object: boundPod(pod, binding, request.now) };
  });
}

function refusalOf(pod: JsonObject): string | undefined {
  const name = metadataText(pod, 'name');
  const spec = objectAt(pod, 'spec');
  if (isBeingDeleted(pod)) return `pod ${name} is being deleted, cannot be assigned to a host`;
  const node = textAt(spec, 'nodeName');
  if (node !== '') return `pod ${name} is already assigned to node "${node}"`;
  return objectsAt(spec, 'schedulingGates').length === 0
    ? undefined
    : `pod ${name} has non-empty .spec.schedulingGates`;
}

function checkPreconditions(key: ObjectKey, binding: JsonObject, pod: JsonObject): void {
  const uid = metadataText(binding, 'uid');
  const own = metadataText(pod, 'uid');
  if (uid !== '' && uid !== own) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${own}`;
    throw conflictError({ group: '', plural: 'pods' }, key.name, why);
  }
}

function boundPod(pod: JsonObject, binding: JsonObject, now: number): JsonObject {
  const annotations = merged(pod, binding, 'annotations');
  const labels = merged(pod, binding, 'labels');
  const { nominatedNodeName: _nominated, ...status } = objectAt(pod, 'status');
  const conditions = objectsAt(status, 'conditions').filter(({ type }) => type !== 'PodScheduled');
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: timestamp(now) };
  return {
    ...withMetadata(pod, { annotations, labels }),
    spec: { ...objectAt(pod, 'spec'), nodeName: textAt(objectAt(binding, 'target'), 'name') },
    status: { ...status, conditions: [...conditions, scheduled] },
  };
}

function merged(pod: JsonObject, binding: JsonObject, field: string): JsonValue | undefined {
  const all = { ...objectAt(metadataOf(pod), field), ...objectAt(metadataOf(binding), field) };
  return Object.keys(all).length === 0 ? undefined : all;
}
