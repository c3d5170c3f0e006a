import { defaultNetwork, defaultVolumeDisks, type Cause, type ClusterSettings } from '@smalt/vm-admission';
import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { applyInstancetype, instancetypeConflicts } from './apply/apply-instancetype.ts';
import type { ChosenSpecs, InstanceTemplate } from './instance-template.ts';
import { applyPreference } from './prefer/apply-preference.ts';
import { preferAutoAttached } from './prefer/prefer-devices.ts';
import { spreadProblem } from './topology.ts';

/** What instance type and preference make of a template, or what stands against it. */
export type Expansion =
  | { readonly kind: 'expanded'; readonly template: InstanceTemplate }
  | { readonly kind: 'conflict'; readonly causes: readonly Cause[] };

/** What is filled in before, so that preferences hold for it too. */
export type ExpansionSettings = Pick<ClusterSettings, 'defaultNetworkInterface'>;

const TEMPLATE_SPEC = 'spec.template.spec';

/** Puts an instance type and a preference into a template. What was there stays; nothing is changed in place. */
export function expandTemplate(
  template: InstanceTemplate,
  chosen: ChosenSpecs,
  settings: ExpansionSettings,
): Expansion {
  const { instancetype, preference } = chosen;
  const spread = instancetype === undefined ? undefined : spreadProblem(instancetype.cpu.guest, preference);
  if (spread !== undefined) return { kind: 'conflict', causes: [spreadCause(spread)] };
  const causes = instancetypeConflicts(template, chosen, TEMPLATE_SPEC);
  if (causes.length > 0) return { kind: 'conflict', causes };
  const sized = applyInstancetype({ ...template, spec: furnished(template.spec, chosen, settings) }, chosen);
  return { kind: 'expanded', template: preference === undefined ? sized : applyPreference(sized, preference) };
}

/** With the disks, the input device and the network card that would come by themselves later. */
function furnished(
  spec: VirtualMachineInstanceSpec,
  { preference }: ChosenSpecs,
  settings: ExpansionSettings,
): VirtualMachineInstanceSpec {
  const attached = preference === undefined ? spec : preferAutoAttached(spec, preference);
  return defaultNetwork(withInput(defaultVolumeDisks(attached)), settings);
}

function withInput(spec: VirtualMachineInstanceSpec): VirtualMachineInstanceSpec {
  const { devices } = spec.domain;
  const isWanted = devices.autoattachInputDevice === true && (devices.inputs ?? []).length === 0;
  if (!isWanted) return spec;
  // Its type is left open for the preference; admission fills it in otherwise.
  return { ...spec, domain: { ...spec.domain, devices: { ...devices, inputs: [{ name: 'default-0', type: '' }] } } };
}

function spreadCause(message: string): Cause {
  return {
    type: 'FieldValueInvalid',
    // Instance types are named so in what clients know.
    field: 'instancetype.spec.cpu.guest',
    message,
    advice: 'Choose a type with a number of processors that can be divided so, or another preference.',
  };
}
