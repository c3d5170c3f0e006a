import { checkDns1123Label } from '@smalt/kubernetes';
import { invalid, required, type FieldError } from '@smalt/resource';
import type { PodAffinity, PodAffinityTerm } from '@smalt/vm-api';

import type { Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';
import { fieldErrorCause } from './field-error-cause.ts';
import { validateLabelName, validateLabelSelector } from './validate-label-selector.ts';
import { validateNodeAffinity, validateWeight } from './validate-node-affinity.ts';

/** The rules of Kubernetes for where pods go, told before the pod is made. The paths leave out `affinity`, as clients know them. */
export function validateAffinity({ path, spec }: SpecScope): readonly Cause[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = spec.affinity ?? {};
  const errors = [
    ...(nodeAffinity === undefined ? [] : validateNodeAffinity(nodeAffinity, `${path}.nodeAffinity`)),
    ...(podAffinity === undefined ? [] : validatePodAffinity(podAffinity, `${path}.podAffinity`)),
    ...(podAntiAffinity === undefined ? [] : validatePodAffinity(podAntiAffinity, `${path}.podAntiAffinity`)),
  ];
  return errors.map(fieldErrorCause);
}

function validatePodAffinity(affinity: PodAffinity, path: string): readonly FieldError[] {
  const terms = affinity.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const weighted = affinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...terms.flatMap((term, index) =>
      validateTerm(term, `${path}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`),
    ),
    ...weighted.flatMap(({ weight, podAffinityTerm }, index) => {
      const place = `${path}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
      return [...validateWeight(weight, place), ...validateTerm(podAffinityTerm, `${place}.podAffinityTerm`)];
    }),
  ];
}

function validateTerm(term: PodAffinityTerm, path: string): readonly FieldError[] {
  const { topologyKey, namespaces = [] } = term;
  return [
    ...validateLabelSelector(term.labelSelector, `${path}.labelSelector`),
    ...validateLabelSelector(term.namespaceSelector, `${path}.namespaceSelector`),
    ...namespaces.flatMap((name) =>
      checkDns1123Label(name).map((problem) => invalid(`${path}.namespace`, name, problem)),
    ),
    ...(topologyKey === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : []),
    ...validateLabelName(topologyKey, `${path}.topologyKey`),
  ];
}
