import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';

import { isControlPlane, type AdmissionContext } from '../../admission-context.ts';
import { distinctCauses, invalid, required, type Cause } from '../../cause.ts';
import { defaultSpec } from '../../defaults/default-spec.ts';
import { isSameValue } from '../../is-same-value.ts';
import { validateMetadata } from '../general/validate-metadata.ts';
import { EMPTY_SPEC } from '../empty-spec.ts';
import { memoryGrowthProblem } from '../memory/memory-growth-problem.ts';
import { validateDiscontinuedBindings } from '../networks/validate-bindings.ts';
import type { SpecScope } from '../spec-rule.ts';
import { allowingSameHypervisor, validateHypervisor } from '../validate-hypervisor.ts';
import { validateSpec } from '../validate-spec.ts';
import { validateDataVolumeNamespaces, validateDataVolumeTemplates } from './validate-data-volume-templates.ts';
import { validateOperations } from './validate-operations.ts';
import { validateRunStrategy } from './validate-run-strategy.ts';
import { validateVolumeRequests } from './validate-volume-requests.ts';

const TEMPLATE_SPEC = 'spec.template.spec';

/** What a virtual machine is judged with beside itself. */
export interface VirtualMachineAdmission extends AdmissionContext {
  /** Its instance, where it has one that is not being deleted. */
  readonly instance?: VirtualMachineInstance;
  /** Its template as instance type and preference make it, where it names one. That is what an instance is made from. */
  readonly template?: VirtualMachine['spec']['template'];
}

/**
 * Every reason why a virtual machine cannot be written. `old` is what is there already, undefined for a new one. One
 * that is being deleted is never held up.
 */
export function validateVirtualMachine(
  machine: VirtualMachine,
  old: VirtualMachine | undefined,
  context: VirtualMachineAdmission,
): readonly Cause[] {
  const { dataVolumeTemplates } = machine.spec;
  const template = context.template ?? machine.spec.template;
  if (machine.metadata.deletionTimestamp !== undefined) return [];
  if (template === undefined) return [required('spec.template', 'missing virtual machine template.')];
  const { settings, requester } = context;
  const scope = { path: TEMPLATE_SPEC, spec: defaultSpec(template.spec ?? EMPTY_SPEC, settings), settings };
  const metadata = { path: 'spec.template.metadata', metadata: template.metadata, settings };
  const areVolumesNew = old === undefined || !isSameValue(dataVolumeTemplates, old.spec.dataVolumeTemplates);
  // Plugged volumes are judged with the whole template once more.
  return distinctCauses([
    ...(old === undefined ? validateDiscontinuedBindings(scope) : []),
    ...validateMetadata({ ...metadata, isControlPlane: isControlPlane(requester) }),
    ...validateSpec(scope),
    ...validateDataVolumeTemplates(machine),
    ...validateRunStrategy(machine.spec, settings),
    ...validateMemoryGrowth(scope),
    ...(areVolumesNew ? validateDataVolumeNamespaces(machine, machine.metadata.namespace ?? '') : []),
    ...(old === undefined ? [] : validateOperations(machine, old)),
    ...validateVolumeRequests(machine, { settings, instance: context.instance }),
    ...validateHypervisor(allowingSameHypervisor(scope, old?.spec.template?.spec?.hypervisor), context.refusalsOf),
  ]);
}

/** What people should know about a virtual machine that is taken. */
export function virtualMachineWarnings({ spec }: VirtualMachine): readonly string[] {
  const { running } = spec;
  return running === undefined ? [] : ['spec.running is deprecated, please use spec.runStrategy instead.'];
}

/** Room to grow that is asked for by hand must be possible; else it is only not given. */
function validateMemoryGrowth({ spec, settings }: SpecScope): readonly Cause[] {
  const maxGuest = spec.domain.memory?.maxGuest;
  if (settings.rolloutStrategy !== 'LiveUpdate' || maxGuest === undefined) return [];
  const problem = memoryGrowthProblem(spec, maxGuest);
  const field = `${TEMPLATE_SPEC}.domain.memory`;
  return problem === undefined ? [] : [invalid(`${field}.guest`, problem, `Change or leave out ${field}.maxGuest.`)];
}
