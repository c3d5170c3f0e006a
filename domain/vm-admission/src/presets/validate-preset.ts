import { KubernetesError, labelSelectorFrom } from '@smalt/kubernetes';
import type { VirtualMachineInstancePreset } from '@smalt/vm-api';

import { invalid, required, type Cause } from '../cause.ts';
import type { ClusterSettings } from '../cluster-settings.ts';
import { validateDisks } from '../validation/disks/validate-disks.ts';
import { validateBootloader, validateKernelBoot } from '../validation/firmware/validate-firmware.ts';

/** Every reason why a preset cannot be taken: its disks and firmware, as in KubeVirt, and a selector that nobody could use. */
export function validatePreset({ spec }: VirtualMachineInstancePreset, settings: ClusterSettings): readonly Cause[] {
  const { domain, selector } = spec;
  if (domain === undefined) return [required('spec.domain', 'missing domain.')];
  const scope = { path: 'spec', spec: { domain }, settings };
  return [
    ...[validateDisks, validateBootloader, validateKernelBoot].flatMap((rule) => rule(scope)),
    ...validateSelector(selector),
  ];
}

function validateSelector(selector: VirtualMachineInstancePreset['spec']['selector']): readonly Cause[] {
  try {
    labelSelectorFrom(selector);
    return [];
  } catch (error) {
    if (error instanceof KubernetesError) return [invalid('spec.selector', error.message)];
    throw error;
  }
}
