import type { JsonObject } from '@smalt/json';

import { RULES_NOT_CHECKED, type KindCase } from '@smalt/kind';

const MACHINE = { spec: { runStrategy: 'Always', template: { spec: { domain: { devices: {} } } } } };
const ENOUGH = { selector: {}, virtualMachineTemplate: MACHINE };

export const poolCases: readonly KindCase[] = [
  { title: 'needs no more than a selector and a template', object: pool(ENOUGH), errors: [] },
  {
    title: 'needs both',
    object: pool({}),
    errors: ['spec.selector: Required value', 'spec.virtualMachineTemplate: Required value', RULES_NOT_CHECKED],
  },
  {
    title: 'takes every way to grow, shrink and change',
    object: pool({
      ...ENOUGH,
      replicas: 3,
      paused: true,
      maxUnavailable: '20%',
      nameGeneration: { appendIndexToConfigMapRefs: true, appendIndexToSecretRefs: false },
      autohealing: { startUpFailureThreshold: 2, minFailingToStartDuration: '90s' },
      scaleInStrategy: {
        proactive: {
          statePreservation: 'Offline',
          selectionPolicy: { sortPolicy: 'Newest', selectors: { labelSelector: {} } },
        },
      },
      updateStrategy: {
        proactive: {
          selectionPolicy: {
            selectors: { nodeSelectorRequirementMatcher: [{ key: 'rack', operator: 'In', values: ['a'] }] },
          },
        },
      },
    }),
    errors: [],
  },
  {
    title: 'takes no less than none',
    object: pool({ ...ENOUGH, replicas: -1 }),
    errors: [
      '.spec.replicas: Invalid value: -1: should be a non-negative integer',
      'spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0',
    ],
  },
  {
    title: 'takes no order that nobody knows',
    object: pool({ ...ENOUGH, scaleInStrategy: { proactive: { selectionPolicy: { sortPolicy: 'Best' } } } }),
    errors: [
      'spec.scaleInStrategy.proactive.selectionPolicy.sortPolicy: Unsupported value: "Best": supported values: "AscendingOrder", "DescendingOrder", "Newest", "Oldest", "Random"',
      RULES_NOT_CHECKED,
    ],
  },
];

export const presetCases: readonly KindCase[] = [
  { title: 'needs no more than a selector', object: preset({ selector: {} }), errors: [] },
  { title: 'needs a selector', object: preset({ domain: { devices: {} } }), errors: ['spec.selector: Required value'] },
  {
    title: 'takes the domain of an instance',
    object: preset({
      selector: { matchLabels: { size: 'small' } },
      domain: { devices: {}, memory: { guest: '128Mi' } },
    }),
    errors: [],
  },
];

function pool(spec: JsonObject): JsonObject {
  return {
    apiVersion: 'pool.kubevirt.io/v1beta1',
    kind: 'VirtualMachinePool',
    metadata: { name: 'a', namespace: 'd' },
    spec,
  };
}

function preset(spec: JsonObject): JsonObject {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstancePreset',
    metadata: { name: 'a', namespace: 'd' },
    spec,
  };
}
