import type { JsonObject } from '@smalt/json';
import { formatFieldError } from '@smalt/resource';
import { expect, it } from 'vitest';

import { validatePodSpec } from './validate-pod-spec.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const POD: JsonObject = {
  containers: [{ name: 'web', image: 'web', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' }],
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
};
const TOPOLOGY = { topologyKey: 'kubernetes.io/hostname' };

it.each<{ name: string; affinity: JsonObject; errors: readonly string[] }>([
  {
    name: 'what fits',
    affinity: {
      nodeAffinity: {
        [REQUIRED]: { nodeSelectorTerms: [nodeTerm('In', 'a'), nodeTerm('Gt', '1'), nodeTerm('Exists')] },
      },
      podAffinity: { [PREFERRED]: [{ weight: 100, podAffinityTerm: TOPOLOGY }] },
    },
    errors: [],
  },
  {
    name: 'a selector of pods without values',
    affinity: { podAntiAffinity: { [REQUIRED]: [{ ...TOPOLOGY, labelSelector: nodeTerm('In') }] } },
    errors: [
      `podAntiAffinity.${REQUIRED}[0].labelSelector.matchExpressions[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
    ],
  },
  {
    name: 'selectors of nodes that mean nothing',
    affinity: { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [nodeTerm('Gt'), nodeTerm('Near')] } } },
    errors: [
      `nodeAffinity.${REQUIRED}.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
      `nodeAffinity.${REQUIRED}.nodeSelectorTerms[1].matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator`,
    ],
  },
  {
    name: 'no selector of nodes at all',
    affinity: { nodeAffinity: { [REQUIRED]: {} } },
    errors: [`nodeAffinity.${REQUIRED}.nodeSelectorTerms: Required value: must have at least one node selector term`],
  },
  {
    name: 'a weight that is too large',
    affinity: { podAffinity: { [PREFERRED]: [{ weight: 101, podAffinityTerm: TOPOLOGY }] } },
    errors: [`podAffinity.${PREFERRED}[0].weight: Invalid value: 101: must be in the range 1-100`],
  },
  {
    name: 'keys of labels without labels to select by, and one that is to match and not to match',
    affinity: {
      podAffinity: {
        [REQUIRED]: [
          { ...TOPOLOGY, matchLabelKeys: ['a'] },
          { ...TOPOLOGY, labelSelector: {}, matchLabelKeys: ['a'], mismatchLabelKeys: ['a'] },
        ],
      },
    },
    errors: [
      `podAffinity.${REQUIRED}[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set`,
      `podAffinity.${REQUIRED}[1].matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and mismatchLabelKeys`,
    ],
  },
])('judges $name as Kubernetes does', ({ affinity, errors }) => {
  const found = validatePodSpec({ ...POD, affinity }, 'spec').map((error) => formatFieldError(error));

  expect(found).toEqual(errors.map((error) => `spec.affinity.${error}`));
});

function nodeTerm(operator: string, ...values: readonly string[]): JsonObject {
  return { matchExpressions: [{ key: 'a', operator, ...(values.length > 0 && { values: [...values] }) }] };
}
