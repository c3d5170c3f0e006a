import { describe, expect, it } from 'vitest';

import type { Affinity, TopologySpreadConstraint } from '@smalt/vm-api';

import { context, instance, spec } from '../../fixtures/small-instance.ts';
import { validateInstance } from '../validate-instance.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

describe('the rules of Kubernetes for placing', () => {
  it.each([
    {
      rule: 'a node selector has a term',
      bad: { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [] } } },
      field: `spec.nodeAffinity.${REQUIRED}.nodeSelectorTerms`,
      message: 'Required value: must have at least one node selector term',
    },
    {
      rule: 'In has values',
      bad: onNode({ key: 'zone', operator: 'In' }),
      field: `spec.nodeAffinity.${REQUIRED}.nodeSelectorTerms[0].matchExpressions[0].values`,
      message: "Required value: must be specified when `operator` is 'In' or 'NotIn'",
    },
    {
      rule: 'Exists has no values',
      bad: onNode({ key: 'zone', operator: 'Exists', values: ['a'] }),
      field: `spec.nodeAffinity.${REQUIRED}.nodeSelectorTerms[0].matchExpressions[0].values`,
      message: "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    },
    {
      rule: 'Gt has one value',
      bad: onNode({ key: 'zone', operator: 'Gt', values: ['1', '2'] }),
      field: `spec.nodeAffinity.${REQUIRED}.nodeSelectorTerms[0].matchExpressions[0].values`,
      message: "Required value: must be specified single value when `operator` is 'Lt' or 'Gt'",
    },
    {
      rule: 'an operator is known',
      bad: onNode({ key: 'zone', operator: 'Like', values: ['a'] }),
      field: `spec.nodeAffinity.${REQUIRED}.nodeSelectorTerms[0].matchExpressions[0].operator`,
      message: 'Invalid value: "Like": not a valid selector operator',
    },
    {
      rule: 'a node is chosen by its name only',
      bad: {
        nodeAffinity: {
          [REQUIRED]: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'spec.podCIDR', operator: 'In', values: ['a'] }] }],
          },
        },
      },
      field: `spec.nodeAffinity.${REQUIRED}.nodeSelectorTerms[0].matchFields[0].key`,
      message: 'Invalid value: "spec.podCIDR": not a valid field selector key',
    },
    {
      rule: 'a node is chosen by one name',
      bad: {
        nodeAffinity: {
          [REQUIRED]: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a', 'b'] }] }],
          },
        },
      },
      field: `spec.nodeAffinity.${REQUIRED}.nodeSelectorTerms[0].matchFields[0].values`,
      message: "Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
    },
    {
      rule: 'a wish about nodes has a weight',
      bad: { nodeAffinity: { [PREFERRED]: [{ weight: 0, preference: {} }] } },
      field: `spec.nodeAffinity.${PREFERRED}[0].weight`,
      message: 'Invalid value: 0: must be in the range 1-100',
    },
    {
      rule: 'a wish about pods has a weight',
      bad: { podAffinity: { [PREFERRED]: [{ weight: 101, podAffinityTerm: { topologyKey: 'zone' } }] } },
      field: `spec.podAffinity.${PREFERRED}[0].weight`,
      message: 'Invalid value: 101: must be in the range 1-100',
    },
    {
      rule: 'a namespace has a good name',
      bad: { podAffinity: { [REQUIRED]: [{ topologyKey: 'zone', namespaces: ['a.b'] }] } },
      field: `spec.podAffinity.${REQUIRED}[0].namespace`,
      message: 'Invalid value: "a.b": must not contain dots',
    },
    {
      rule: 'a selector of pods is good',
      bad: {
        podAntiAffinity: {
          [REQUIRED]: [{ topologyKey: 'zone', labelSelector: { matchExpressions: [{ key: 'app', operator: 'In' }] } }],
        },
      },
      field: `spec.podAntiAffinity.${REQUIRED}[0].labelSelector.matchExpressions[0].values`,
      message: "Required value: must be specified when `operator` is 'In' or 'NotIn'",
    },
  ] satisfies readonly { rule: string; bad: Affinity; field: string; message: string }[])(
    '$rule',
    ({ bad, field, message }) => {
      const causes = validateInstance(instance(spec({ affinity: bad })), context());

      expect(causes).toEqual([{ type: 'FieldValueInvalid', field, message: `${field}: ${message}` }]);
    },
  );

  it('tells both what an empty topology key lacks and that it is no label', () => {
    const affinity = { podAntiAffinity: { [REQUIRED]: [{ topologyKey: '' }] } };

    const causes = validateInstance(instance(spec({ affinity })), context());

    expect(causes.map(({ message }) => message)).toEqual([
      `spec.podAntiAffinity.${REQUIRED}[0].topologyKey: Required value: can not be empty`,
      expect.stringContaining('name part must be non-empty'),
      expect.stringContaining('name part must consist of alphanumeric'),
    ]);
  });

  it.each([
    {
      rule: 'a skew is positive',
      bad: [{ maxSkew: 0, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
      field: 'spec.topologySpreadConstraints[0].maxSkew',
      message: 'Invalid value: 0: must be greater than zero',
    },
    {
      rule: 'a topology has a key',
      bad: [{ maxSkew: 1, topologyKey: '', whenUnsatisfiable: 'DoNotSchedule' }],
      field: 'spec.topologySpreadConstraints[0].topologyKey',
      message: 'Required value: can not be empty',
    },
    {
      rule: 'what to do otherwise is known',
      bad: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'Panic' }],
      field: 'spec.topologySpreadConstraints[0].whenUnsatisfiable',
      message: 'Unsupported value: "Panic": supported values: "DoNotSchedule", "ScheduleAnyway"',
    },
    {
      rule: 'a constraint stands there once',
      bad: [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
        { maxSkew: 2, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
      ],
      field: 'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}',
      message: 'Duplicate value: "{zone, DoNotSchedule}"',
    },
  ] satisfies readonly { rule: string; bad: readonly TopologySpreadConstraint[]; field: string; message: string }[])(
    '$rule',
    ({ bad, field, message }) => {
      const causes = validateInstance(instance(spec({ topologySpreadConstraints: bad })), context());

      expect(causes).toEqual([{ type: 'FieldValueInvalid', field, message: `${field}: ${message}` }]);
    },
  );

  it('takes placements that Kubernetes takes', () => {
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'db' } } };
    const affinity: Affinity = {
      nodeAffinity: {
        [REQUIRED]: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: 'zone', operator: 'In', values: ['a'] },
                { key: 'cores', operator: 'Gt', values: ['8'] },
                { key: 'old', operator: 'DoesNotExist' },
              ],
              matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['node-1'] }],
            },
          ],
        },
        [PREFERRED]: [{ weight: 1, preference: { matchExpressions: [{ key: 'ssd', operator: 'Exists' }] } }],
      },
      podAffinity: { [PREFERRED]: [{ weight: 100, podAffinityTerm: term }] },
      podAntiAffinity: { [REQUIRED]: [{ ...term, namespaces: ['default'] }] },
    };
    const topologySpreadConstraints: readonly TopologySpreadConstraint[] = [
      { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
      { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' },
    ];

    expect(validateInstance(instance(spec({ affinity, topologySpreadConstraints })), context())).toEqual([]);
  });
});

function onNode(requirement: { key: string; operator: string; values?: readonly string[] }): Affinity {
  return { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [{ matchExpressions: [requirement] }] } } };
}
