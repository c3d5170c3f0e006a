import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

import { withoutField } from './edit-object.ts';
import { isGivenAt, itemsAt, numberAt, objectAt, textAt } from './read-path.ts';
import { cpuMetric } from './rules/autoscaler-rules.ts';

/** The names that the two groups have for the same fields of an event: the core group's first. */
const EVENT_FIELDS: readonly (readonly [string, string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];

/**
 * The version in which objects are stored when a kind is served in several; undefined when it is the one asked about.
 * Events of both groups are kept as those of the core group, autoscalers as v2.
 */
export function storageVersionOf(apiVersion: string, kind: string): string | undefined {
  if (apiVersion === 'events.k8s.io/v1' && kind === 'Event') return 'v1';
  if (apiVersion === 'autoscaling/v1' && kind === 'HorizontalPodAutoscaler') return 'autoscaling/v2';
  return undefined;
}

/**
 * The same object in another version of its kind. `old` is the object as it is stored now: what the version of the
 * writer cannot say stays as it was there.
 */
export function convertVersion(object: JsonObject, apiVersion: string, old?: JsonObject): JsonObject {
  const from = textAt(object, 'apiVersion');
  if (from === apiVersion) return object;
  const kind = textAt(object, 'kind');
  if (kind === 'Event') return renameFields(object, apiVersion);
  if (kind !== 'HorizontalPodAutoscaler') return object;
  return apiVersion === 'autoscaling/v2' ? toAutoscalerV2(object, old) : toAutoscalerV1(object);
}

function renameFields(event: JsonObject, apiVersion: string): JsonObject {
  const isToCore = apiVersion === 'v1';
  const names = new Map(EVENT_FIELDS.map(([core, other]) => (isToCore ? [other, core] : [core, other])));
  const entries = Object.entries(event).map(([name, value]): [string, JsonValue] => [names.get(name) ?? name, value]);
  return { ...Object.fromEntries(entries), apiVersion };
}

function toAutoscalerV1(object: JsonObject): JsonObject {
  const metric = itemsAt(object, 'spec', 'metrics').find(isCpuPercent);
  const current = itemsAt(object, 'status', 'currentMetrics').find(
    (part) => textAt(part, 'resource', 'name') === 'cpu',
  );
  const spec = withoutField(withoutField(objectAt(object, 'spec'), 'metrics'), 'behavior');
  const status = withoutField(withoutField(objectAt(object, 'status'), 'currentMetrics'), 'conditions');
  return {
    ...object,
    apiVersion: 'autoscaling/v1',
    spec: { ...spec, ...(metric === undefined ? {} : { targetCPUUtilizationPercentage: targetPercent(metric) }) },
    status: {
      currentReplicas: 0,
      desiredReplicas: 0,
      ...status,
      ...(current !== undefined && isGivenAt(current, 'resource', 'current', 'averageUtilization')
        ? { currentCPUUtilizationPercentage: numberAt(current, 'resource', 'current', 'averageUtilization') }
        : {}),
    },
  };
}

function toAutoscalerV2(object: JsonObject, old: JsonObject | undefined): JsonObject {
  const before = old ?? {};
  const spec = objectAt(object, 'spec');
  const others = itemsAt(before, 'spec', 'metrics').filter((metric) => !isCpuPercent(metric));
  const cpu = isGivenAt(spec, 'targetCPUUtilizationPercentage')
    ? [cpuMetric(numberAt(spec, 'targetCPUUtilizationPercentage'))]
    : [];
  const behavior = objectAt(before, 'spec')['behavior'];
  const status = before['status'];
  const metrics = [...cpu, ...others];
  return {
    ...object,
    apiVersion: 'autoscaling/v2',
    spec: {
      ...withoutField(spec, 'targetCPUUtilizationPercentage'),
      ...(metrics.length === 0 ? {} : { metrics }),
      ...(isJsonObject(behavior) ? { behavior } : {}),
    },
    status: isJsonObject(status) ? status : withoutField(objectAt(object, 'status'), 'currentCPUUtilizationPercentage'),
  };
}

function isCpuPercent(metric: JsonObject): boolean {
  return (
    textAt(metric, 'type') === 'Resource' &&
    textAt(metric, 'resource', 'name') === 'cpu' &&
    isGivenAt(metric, 'resource', 'target', 'averageUtilization')
  );
}

function targetPercent(metric: JsonObject): number {
  return numberAt(metric, 'resource', 'target', 'averageUtilization');
}
