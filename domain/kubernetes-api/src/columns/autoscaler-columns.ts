import type { JsonObject } from '@smalt/json';
import type { Column } from '@smalt/resource';

import { isGivenAt, itemsAt, numberAt, objectAt, textAt } from '../read-path.ts';
import { ageColumn } from './age-column.ts';
import { column } from './make-column.ts';

const MAX_SHOWN = 2;
/** The names under which the types of metrics keep their particulars. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ['External', 'external'],
  ['Pods', 'pods'],
  ['Object', 'object'],
  ['Resource', 'resource'],
  ['ContainerResource', 'containerResource'],
]);

/** The columns of a HorizontalPodAutoscaler; `targets` tells what it looks at. */
function autoscalerColumns(targets: (object: JsonObject) => string): readonly Column[] {
  return [
    column('Reference', 'What is scaled.', (object) => {
      const target = objectAt(object, 'spec', 'scaleTargetRef');
      return `${textAt(target, 'kind')}/${textAt(target, 'name')}`;
    }),
    column('Targets', 'What it is now and what it should be.', targets),
    column('MinPods', 'How few there may be.', (object) =>
      isGivenAt(object, 'spec', 'minReplicas') ? String(numberAt(object, 'spec', 'minReplicas')) : '<unset>',
    ),
    column('MaxPods', 'How many there may be.', (object) => numberAt(object, 'spec', 'maxReplicas')),
    column('Replicas', 'How many there are.', (object) => numberAt(object, 'status', 'currentReplicas')),
    ageColumn,
  ];
}

export const autoscalerV1Columns: readonly Column[] = autoscalerColumns((object) => {
  if (!isGivenAt(object, 'spec', 'targetCPUUtilizationPercentage')) return '<none>';
  const isKnown = isGivenAt(object, 'status', 'currentCPUUtilizationPercentage');
  const current = isKnown ? `${numberAt(object, 'status', 'currentCPUUtilizationPercentage')}%` : '<unknown>';
  return `cpu: ${current}/${numberAt(object, 'spec', 'targetCPUUtilizationPercentage')}%`;
});

export const autoscalerV2Columns: readonly Column[] = autoscalerColumns((object) => {
  const statuses = itemsAt(object, 'status', 'currentMetrics');
  const list = itemsAt(object, 'spec', 'metrics').map((metric, index) => metricText(metric, statuses[index]));
  if (list.length === 0) return '<none>';
  const shown = list.slice(0, MAX_SHOWN).join(', ');
  return list.length > MAX_SHOWN ? `${shown} + ${list.length - MAX_SHOWN} more...` : shown;
});

function metricText(metric: JsonObject, status: JsonObject | undefined): string {
  const type = textAt(metric, 'type');
  const part = PARTS.get(type);
  if (part === undefined) return '<unknown type>';
  const target = objectAt(metric, part, 'target');
  const current = status === undefined ? {} : objectAt(status, part, 'current');
  if (type.endsWith('Resource')) return `${textAt(metric, part, 'name')}: ${resourceText(target, current)}`;
  const isAverage = isGivenAt(target, 'averageValue');
  const name = isAverage ? 'averageValue' : 'value';
  const suffix = isAverage && type !== 'Pods' ? ' (avg)' : '';
  return `${textAt(current, name) || '<unknown>'}/${textAt(target, name)}${suffix}`;
}

function resourceText(target: JsonObject, current: JsonObject): string {
  if (isGivenAt(target, 'averageValue')) {
    return `${textAt(current, 'averageValue') || '<unknown>'}/${textAt(target, 'averageValue')}`;
  }
  return `${percentOf(current, '<unknown>')}/${percentOf(target, '<auto>')}`;
}

function percentOf(part: JsonObject, otherwise: string): string {
  return isGivenAt(part, 'averageUtilization') ? `${numberAt(part, 'averageUtilization')}%` : otherwise;
}
