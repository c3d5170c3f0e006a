import type { JsonObject } from '@smalt/json';
import { invalid, required, type FieldError } from '@smalt/resource';

import { autoscalerV1Columns, autoscalerV2Columns } from '../columns/autoscaler-columns.ts';
import { fillIn, withChild } from '../edit-object.ts';
import { isGivenAt, itemsAt, numberAt, objectAt, textAt } from '../read-path.ts';
import { checkNotNegative } from '../validation/check-field.ts';
import type { KindRules } from './kind-rules.ts';

const DEFAULT_CPU_PERCENT = 80;
const SCALE_UP = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const SCALE_DOWN = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };

export const autoscalerV1Rules: KindRules = {
  columns: autoscalerV1Columns,
  default: (object) =>
    withChild(object, 'spec', (spec) =>
      fillIn(spec, { minReplicas: 1, targetCPUUtilizationPercentage: DEFAULT_CPU_PERCENT }),
    ),
  validate: (object) => validateSpec(objectAt(object, 'spec')),
};

export const autoscalerV2Rules: KindRules = {
  columns: autoscalerV2Columns,
  default: (object) =>
    withChild(
      object,
      'spec',
      (spec) =>
        fillIn(spec, { minReplicas: 1, ...(itemsAt(spec, 'metrics').length > 0 ? {} : { metrics: [cpuMetric()] }) }),
      (spec) => withChild(spec, 'behavior', defaultBehavior),
    ),
  validate: (object) => validateSpec(objectAt(object, 'spec')),
};

export const scaleRules: KindRules = {
  validate: (scale) => checkNotNegative(objectAt(scale, 'spec'), ['replicas'], 'spec'),
};

/** The metric that stands for so many percent of the CPU that was asked for. */
export function cpuMetric(percent: number = DEFAULT_CPU_PERCENT): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } } };
}

function defaultBehavior(behavior: JsonObject): JsonObject {
  const filled = fillIn(behavior, { scaleUp: {}, scaleDown: {} });
  return withChild(
    withChild(filled, 'scaleUp', (rules) => fillIn(rules, SCALE_UP)),
    'scaleDown',
    (rules) => fillIn(rules, SCALE_DOWN),
  );
}

function validateSpec(spec: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const min = numberAt(spec, 'minReplicas');
  const max = numberAt(spec, 'maxReplicas');
  if (isGivenAt(spec, 'minReplicas') && min < 1) {
    errors.push(invalid('spec.minReplicas', min, 'must be greater than or equal to 1'));
  }
  if (max === 0) errors.push(required('spec.maxReplicas', 'must be set and greater than 0'));
  else if (max < 1) errors.push(invalid('spec.maxReplicas', max, 'must be greater than or equal to 1'));
  if (isGivenAt(spec, 'minReplicas') && max < min) {
    errors.push(invalid('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`'));
  }
  for (const name of ['kind', 'name']) {
    if (textAt(spec, 'scaleTargetRef', name) === '') errors.push(required(`spec.scaleTargetRef.${name}`));
  }
  return errors;
}
