import { atomicListOf, int32, int64, labelSelector, of, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

export const nodeSelectorRequirement: TSchema = shape({
  name: 'NodeSelectorRequirement',
  description: 'What one label or field of a node must be.',
  required: ['key', 'operator'],
  fields: {
    key: text('The label or field.'),
    operator: text('`In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`.'),
    values: atomicListOf(text(''), 'The values to compare with; empty for `Exists` and `DoesNotExist`.'),
  },
});

const nodeSelectorTerm: TSchema = shape({
  name: 'NodeSelectorTerm',
  description: 'Requirements that must all hold for a node.',
  options: { 'x-kubernetes-map-type': 'atomic' },
  fields: {
    matchExpressions: atomicListOf(nodeSelectorRequirement, 'What labels of the node must be.'),
    matchFields: atomicListOf(nodeSelectorRequirement, 'What fields of the node must be.'),
  },
});

const nodeSelector: TSchema = shape({
  name: 'NodeSelector',
  description: 'Chooses nodes; one of the terms must hold.',
  required: ['nodeSelectorTerms'],
  options: { 'x-kubernetes-map-type': 'atomic' },
  fields: {
    nodeSelectorTerms: atomicListOf(nodeSelectorTerm, 'The terms, of which one must hold.'),
  },
});

const preferredSchedulingTerm: TSchema = shape({
  name: 'PreferredSchedulingTerm',
  description: 'A wish about the node, with its weight.',
  required: ['preference', 'weight'],
  fields: {
    preference: of(nodeSelectorTerm, 'What the node should be.'),
    weight: int32('How much it counts, from 1 to 100.'),
  },
});

const nodeAffinity: TSchema = shape({
  name: 'NodeAffinity',
  description: 'What the node must and should be.',
  fields: {
    preferredDuringSchedulingIgnoredDuringExecution: atomicListOf(preferredSchedulingTerm, 'Wishes about the node.'),
    requiredDuringSchedulingIgnoredDuringExecution: of(nodeSelector, 'What the node must be.'),
  },
});

const podAffinityTerm: TSchema = shape({
  name: 'PodAffinityTerm',
  description: 'Chooses pods to be near to or far from.',
  required: ['topologyKey'],
  fields: {
    labelSelector: of(labelSelector, 'Chooses the pods by their labels.'),
    matchLabelKeys: atomicListOf(text(''), 'Labels whose value must be that of the pod that is placed.'),
    mismatchLabelKeys: atomicListOf(text(''), 'Labels whose value must not be that of the pod that is placed.'),
    namespaceSelector: of(labelSelector, 'Chooses the namespaces of the pods by their labels.'),
    namespaces: atomicListOf(
      text(''),
      'The namespaces of the pods; its own when neither this nor the selector is set.',
    ),
    topologyKey: text('The label of nodes that says what near means: nodes with the same value are near.'),
  },
});

const weightedPodAffinityTerm: TSchema = shape({
  name: 'WeightedPodAffinityTerm',
  description: 'A wish about pods near by, with its weight.',
  required: ['podAffinityTerm', 'weight'],
  fields: {
    podAffinityTerm: of(podAffinityTerm, 'The pods it is about.'),
    weight: int32('How much it counts, from 1 to 100.'),
  },
});

const podAffinity: TSchema = shape({
  name: 'PodAffinity',
  description: 'Which pods must and should be near.',
  fields: {
    preferredDuringSchedulingIgnoredDuringExecution: atomicListOf(weightedPodAffinityTerm, 'Pods that should be near.'),
    requiredDuringSchedulingIgnoredDuringExecution: atomicListOf(podAffinityTerm, 'Pods that must be near.'),
  },
});

const podAntiAffinity: TSchema = shape({
  name: 'PodAntiAffinity',
  description: 'Which pods must and should not be near.',
  fields: {
    preferredDuringSchedulingIgnoredDuringExecution: atomicListOf(
      weightedPodAffinityTerm,
      'Pods that should not be near.',
    ),
    requiredDuringSchedulingIgnoredDuringExecution: atomicListOf(podAffinityTerm, 'Pods that must not be near.'),
  },
});

export const affinity: TSchema = shape({
  name: 'Affinity',
  description: 'Where the virtual machine may and should be placed.',
  fields: {
    nodeAffinity: of(nodeAffinity, 'What the node must and should be.'),
    podAffinity: of(podAffinity, 'Which pods must and should be near.'),
    podAntiAffinity: of(podAntiAffinity, 'Which pods must and should not be near.'),
  },
});

export const toleration: TSchema = shape({
  name: 'Toleration',
  description: 'A taint of nodes that does not keep the virtual machine away.',
  fields: {
    effect: text('The effect that is tolerated: `NoSchedule`, `PreferNoSchedule` or `NoExecute`; empty for all.'),
    key: text('The key of the taint; empty for all.'),
    operator: text('`Equal` or `Exists`.'),
    tolerationSeconds: int64('How long a `NoExecute` taint is tolerated; forever when not set.'),
    value: text('The value of the taint.'),
  },
});

export const topologySpreadConstraint: TSchema = shape({
  name: 'TopologySpreadConstraint',
  description: 'How evenly virtual machines are spread.',
  required: ['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
  fields: {
    labelSelector: of(labelSelector, 'Chooses the pods that are counted.'),
    matchLabelKeys: atomicListOf(text(''), 'Labels whose value must be that of the pod that is placed.'),
    maxSkew: int32('By how many pods two places may differ.'),
    minDomains: int32('How many places there must be.'),
    nodeAffinityPolicy: text('Whether the node affinity of the pod limits the places: `Honor` or `Ignore`.'),
    nodeTaintsPolicy: text('Whether taints limit the places: `Honor` or `Ignore`.'),
    topologyKey: text('The label of nodes that tells places apart.'),
    whenUnsatisfiable: text('What to do where it cannot be kept: `DoNotSchedule` or `ScheduleAnyway`.'),
  },
});
