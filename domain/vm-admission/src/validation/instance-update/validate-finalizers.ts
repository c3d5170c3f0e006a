import { isFinalPhase, VirtualMachineInstancePhase, WellKnownName, type VirtualMachineInstance } from '@smalt/vm-api';

import { notSupported, type Cause } from '../../cause.ts';
import type { InstanceChange } from './instance-change.ts';

const GUARDS: readonly string[] = [WellKnownName.instanceFinalizer, WellKnownName.virtualMachineFinalizer];
const NOWHERE: readonly string[] = ['', VirtualMachineInstancePhase.pending, VirtualMachineInstancePhase.scheduling];

/**
 * Nobody from outside takes the control plane's finalizers off an instance whose guest may run: the object would be
 * gone and made anew elsewhere, while the guest of a silent node runs on.
 */
export function validateFinalizers({ instance, old }: InstanceChange): readonly Cause[] {
  const left = instance.metadata.finalizers ?? [];
  const taken = (old.metadata.finalizers ?? []).filter((name) => GUARDS.includes(name) && !left.includes(name));
  if (taken.length === 0 || !mayRun(old)) return [];
  const { phase = '', nodeName = '' } = old.status ?? {};
  const field = 'metadata.finalizers';
  const message = `${field}: ${taken.join(', ')} stays while the guest may run (${phase} on the node ${nodeName})`;
  const advice =
    'Delete the instance and wait. If its node is lost, have it fenced, or confirm in the HA service that it is off.';
  return [notSupported(field, message, advice)];
}

/** Before a node is told of an instance it runs nowhere, and at its end no more. */
function mayRun({ status }: VirtualMachineInstance): boolean {
  const { phase = '', nodeName = '' } = status ?? {};
  if (isFinalPhase(phase)) return false;
  return nodeName !== '' || !NOWHERE.includes(phase);
}
