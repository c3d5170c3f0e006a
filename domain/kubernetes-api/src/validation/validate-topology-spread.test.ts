import type { JsonObject } from '@smalt/json';
import { formatFieldError } from '@smalt/resource';
import { expect, it } from 'vitest';

import { validateTopologySpread } from './validate-topology-spread.ts';

const SPREAD: JsonObject = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
const ANYWAY: JsonObject = { ...SPREAD, whenUnsatisfiable: 'ScheduleAnyway' };

it.each<{ name: string; constraints: readonly JsonObject[]; errors: readonly string[] }>([
  {
    name: 'what fits',
    constraints: [
      { ...SPREAD, minDomains: 2, nodeAffinityPolicy: 'Honor', nodeTaintsPolicy: 'Ignore' },
      { ...ANYWAY, labelSelector: { matchLabels: { app: 'web' } }, matchLabelKeys: ['pod-template-hash'] },
    ],
    errors: [],
  },
  {
    name: 'an empty constraint',
    constraints: [{}],
    errors: [
      '[0].maxSkew: Invalid value: 0: must be greater than zero',
      '[0].topologyKey: Required value: can not be empty',
      '[0].whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"',
    ],
  },
  {
    name: 'one that stands there twice',
    constraints: [SPREAD, ANYWAY, { ...SPREAD, maxSkew: 2 }],
    errors: ['[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"'],
  },
  {
    name: 'domains that nothing makes sure of',
    constraints: [{ ...ANYWAY, minDomains: 0 }],
    errors: [
      '[0].minDomains: Invalid value: 0: must be greater than zero',
      '[0].minDomains: Invalid value: 0: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway',
    ],
  },
  {
    name: 'unknown policies',
    constraints: [{ ...SPREAD, nodeAffinityPolicy: 'Never', nodeTaintsPolicy: '' }],
    errors: [
      '[0].nodeAffinityPolicy: Unsupported value: "Never": supported values: "Honor", "Ignore"',
      '[0].nodeTaintsPolicy: Unsupported value: "": supported values: "Honor", "Ignore"',
    ],
  },
  {
    name: 'keys without labels to select by',
    constraints: [{ ...SPREAD, matchLabelKeys: ['app'] }],
    errors: ['[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set'],
  },
  {
    name: 'a key that is selected by already',
    constraints: [
      {
        ...SPREAD,
        labelSelector: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }],
        },
        matchLabelKeys: ['app'],
      },
    ],
    errors: ['[0][0]: Invalid value: "app": exists in both matchLabelKeys and labelSelector'],
  },
  {
    name: 'a selector without values',
    constraints: [{ ...SPREAD, labelSelector: { matchExpressions: [{ key: 'app', operator: 'In' }] } }],
    errors: [
      "[0].labelSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
  },
])('judges $name as Kubernetes does', ({ constraints, errors }) => {
  const found = validateTopologySpread(constraints, 'spec.topologySpreadConstraints');

  expect(found.map(formatFieldError)).toEqual(errors.map((error) => `spec.topologySpreadConstraints${error}`));
});
