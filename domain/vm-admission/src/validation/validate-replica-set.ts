import { KubernetesError, labelSelectorFrom, matchesLabels } from '@smalt/kubernetes';
import type { VirtualMachineInstanceReplicaSet } from '@smalt/vm-api';

import type { AdmissionContext } from '../admission-context.ts';
import { invalid, required, type Cause } from '../cause.ts';
import { defaultSpec } from '../defaults/default-spec.ts';
import { EMPTY_SPEC } from './empty-spec.ts';
import { validateHypervisor } from './validate-hypervisor.ts';
import { validateSpec } from './validate-spec.ts';

/** Every reason why a replica set cannot be taken: its template, and whether it would count its own instances. */
export function validateReplicaSet(set: VirtualMachineInstanceReplicaSet, context: AdmissionContext): readonly Cause[] {
  const { template } = set.spec;
  if (template === undefined) return [required('spec.template', 'missing virtual machine template.')];
  const { settings } = context;
  const scope = { path: 'spec.template.spec', spec: defaultSpec(template.spec ?? EMPTY_SPEC, settings), settings };
  return [...validateSpec(scope), ...validateSelector(set), ...validateHypervisor(scope, context.refusalsOf)];
}

function validateSelector({ spec }: VirtualMachineInstanceReplicaSet): readonly Cause[] {
  const { selector, template } = spec;
  try {
    const isOwn = selector !== undefined && matchesLabels(labelSelectorFrom(selector), template.metadata?.labels);
    const advice = 'Give spec.template.metadata.labels all that the selector asks for.';
    return isOwn ? [] : [invalid('spec.selector', 'selector does not match labels.', advice)];
  } catch (error) {
    if (error instanceof KubernetesError) return [invalid('spec.selector', error.message)];
    throw error;
  }
}
