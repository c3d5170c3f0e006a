import type { VirtualMachinePreferenceSpec } from '@smalt/vm-api';

import type { InstanceTemplate } from '../instance-template.ts';
import { fillIn } from './fill-in.ts';
import { preferAutoAttached, preferDevices } from './prefer-devices.ts';
import { preferMachine } from './prefer-machine.ts';

/** The template with all that a preference says and it does not say itself. */
export function applyPreference(
  template: InstanceTemplate,
  preference: VirtualMachinePreferenceSpec,
): InstanceTemplate {
  const { spec, metadata } = template;
  const domain = preferMachine(preferDevices(preferAutoAttached(spec, preference), preference), preference);
  const filled = fillIn(domain, {
    subdomain: preference.preferredSubdomain,
    terminationGracePeriodSeconds: preference.preferredTerminationGracePeriodSeconds,
    architecture: preference.preferredArchitecture,
  });
  const { annotations } = preference;
  if (annotations === undefined) return { ...template, spec: filled };
  return {
    ...template,
    spec: filled,
    metadata: { ...metadata, annotations: { ...annotations, ...metadata?.annotations } },
  };
}
