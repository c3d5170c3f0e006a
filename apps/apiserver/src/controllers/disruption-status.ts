import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

import { objectAt, objectsAt, textAt } from '../identity/object-fields.ts';
import { isBeingDeleted, metadataNumber, metadataText, timestamp } from '../registry/object-metadata.ts';

/** So long an evicted pod counts as on its way out although it is still there. */
const DELETION_TIMEOUT_MS = 120_000;

export interface DisruptionInput {
  readonly budget: JsonObject;
  /** The pods that the budget selects. */
  readonly pods: readonly JsonObject[];
  /** How many pods there should be, by those that control them; undefined when that cannot be told. */
  readonly expectedScale: number | undefined;
  readonly now: number;
}

/** The status of a PodDisruptionBudget, and when it has to be looked at again. */
export interface DisruptionResult {
  readonly status: JsonObject;
  readonly recheckAfterMs: number | undefined;
}

/** Counts the pods of a budget and says how many may be evicted now. */
export function disruptionStatus(input: DisruptionInput): DisruptionResult {
  const { budget, pods, now } = input;
  const before = objectAt(budget, 'status');
  const disrupted = stillDisrupted(objectAt(before, 'disruptedPods'), pods, now);
  const healthy = pods.filter((pod) => {
    if (isBeingDeleted(pod) || Object.hasOwn(disrupted, metadataText(pod, 'name'))) return false;
    return isPodReady(pod);
  });
  const counted = countWanted(input);
  const observedGeneration = metadataNumber(budget, 'generation') ?? 0;
  if (counted === undefined) return { status: failed(before, pods, now), recheckAfterMs: undefined };
  const spare = healthy.length - counted.desiredHealthy;
  const disruptionsAllowed = counted.expectedPods <= 0 || spare <= 0 ? 0 : spare;
  const status = {
    ...(Object.keys(disrupted).length === 0 ? {} : { disruptedPods: disrupted }),
    disruptionsAllowed,
    currentHealthy: healthy.length,
    ...counted,
    observedGeneration,
  };
  const deadlines = Object.keys(disrupted).map((pod) => Date.parse(textAt(disrupted, pod)) + DELETION_TIMEOUT_MS - now);
  return {
    status: withAllowedCondition({ ...status, conditions: before['conditions'] ?? [] }, now),
    recheckAfterMs: deadlines.length === 0 ? undefined : Math.max(1_000, Math.min(...deadlines)),
  };
}

/** The status with the condition that belongs to its number of allowed disruptions. */
export function withAllowedCondition(status: JsonObject, now: number): JsonObject {
  const isAllowed = Number(status['disruptionsAllowed'] ?? 0) > 0;
  const reason = isAllowed ? 'SufficientPods' : 'InsufficientPods';
  return withDisruptionAllowed(status, { status: isAllowed ? 'True' : 'False', reason, message: '' }, now);
}

export function isPodReady(pod: JsonObject): boolean {
  const conditions = objectsAt(objectAt(pod, 'status'), 'conditions');
  return conditions.some((condition) => condition['type'] === 'Ready' && condition['status'] === 'True');
}

/** `30%` of a number, rounded up, or the number that is given; undefined when it is neither. */
function scaledValue(value: JsonValue | undefined, total: number): number | undefined {
  if (typeof value === 'number') return value;
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  return percent === undefined ? undefined : Math.ceil((Number(percent) * total) / 100);
}

function stillDisrupted(disrupted: JsonObject, pods: readonly JsonObject[], now: number): JsonObject {
  const left = pods.flatMap((pod): [string, JsonValue][] => {
    const name = metadataText(pod, 'name');
    const at = Object.hasOwn(disrupted, name) ? disrupted[name] : undefined;
    const isAwaited = typeof at === 'string' && Date.parse(at) + DELETION_TIMEOUT_MS >= now;
    return isAwaited && !isBeingDeleted(pod) ? [[name, at]] : [];
  });
  return Object.fromEntries(left);
}

function countWanted(
  input: DisruptionInput,
): { readonly desiredHealthy: number; readonly expectedPods: number } | undefined {
  const { budget, pods, expectedScale } = input;
  const { maxUnavailable, minAvailable } = objectAt(budget, 'spec');
  if (maxUnavailable !== undefined && maxUnavailable !== null) {
    const unavailable = expectedScale === undefined ? undefined : scaledValue(maxUnavailable, expectedScale);
    if (expectedScale === undefined || unavailable === undefined) return undefined;
    return { desiredHealthy: Math.max(0, expectedScale - unavailable), expectedPods: expectedScale };
  }
  if (typeof minAvailable === 'number') return { desiredHealthy: minAvailable, expectedPods: pods.length };
  if (typeof minAvailable !== 'string') return { desiredHealthy: 0, expectedPods: 0 };
  const available = expectedScale === undefined ? undefined : scaledValue(minAvailable, expectedScale);
  if (expectedScale === undefined || available === undefined) return undefined;
  return { desiredHealthy: available, expectedPods: expectedScale };
}

function failed(before: JsonObject, pods: readonly JsonObject[], now: number): JsonObject {
  const pod = pods.find((candidate) => controllerOf(candidate) !== undefined);
  const message = `found no controllers for pod "${pod === undefined ? '' : metadataText(pod, 'name')}"`;
  const stopped = { ...before, disruptionsAllowed: 0 };
  return withDisruptionAllowed(stopped, { status: 'False', reason: 'SyncFailed', message }, now);
}

/** The reference to the one that controls an object. */
export function controllerOf(object: JsonObject): JsonObject | undefined {
  const metadata = object['metadata'];
  if (!isJsonObject(metadata)) return undefined;
  return objectsAt(metadata, 'ownerReferences').find((reference) => reference['controller'] === true);
}

function withDisruptionAllowed(
  status: JsonObject,
  wanted: { readonly status: string; readonly reason: string; readonly message: string },
  now: number,
): JsonObject {
  const type = 'DisruptionAllowed';
  const conditions = objectsAt(status, 'conditions');
  const old = conditions.find((condition) => condition['type'] === type);
  const isSame = old !== undefined && old['status'] === wanted.status;
  const condition = {
    type,
    ...wanted,
    observedGeneration: status['observedGeneration'] ?? 0,
    lastTransitionTime: isSame ? textAt(old, 'lastTransitionTime') : timestamp(now),
  };
  return { ...status, conditions: [...conditions.filter((each) => each !== old), condition] };
}
