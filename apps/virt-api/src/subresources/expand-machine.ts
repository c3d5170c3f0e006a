import { expandTemplate } from '@smalt/instance-types';
import { defaultSpec, refusalOfCauses } from '@smalt/vm-admission';
import type { VirtualMachine } from '@smalt/vm-api';

import { findChosen, hasChosen } from '../admission/chosen-specs.ts';
import { refusal, statusOf } from '../virt-api-error.ts';
import type { SubresourceDeps } from './subresource-call.ts';

/**
 * A machine with its instance type and its preference in its template, and no word of either any more: it can be
 * written as it is. Refuses what stands against that, and names that are nobody's.
 */
export async function expandMachine(
  { objects, settings }: Pick<SubresourceDeps, 'objects' | 'settings'>,
  machine: VirtualMachine,
  signal: AbortSignal,
): Promise<VirtualMachine> {
  const { spec, ...template } = machine.spec.template ?? {};
  if (!hasChosen(machine) || spec === undefined) return machine;
  const { chosen, missing } = await findChosen(objects, machine, signal);
  if (missing.length > 0) throw refusal(statusOf(400, missing.join(' ')));
  const expansion = expandTemplate({ ...template, spec }, chosen, settings);
  if (expansion.kind === 'conflict') throw refusal(refusalOfCauses(expansion.causes));
  const { instancetype: _type, preference: _preference, ...rest } = machine.spec;
  const filled = { ...expansion.template, spec: defaultSpec(expansion.template.spec, settings) };
  const expanded = { ...machine, spec: { ...rest, template: filled } };
  if (machine.status === undefined) return expanded;
  const { instancetypeRef: _typeRef, preferenceRef: _preferenceRef, ...status } = machine.status;
  return { ...expanded, status };
}
