import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { ClusterSettings } from '../cluster-settings.ts';
import { isGateOpen } from '../feature-gates.ts';

const QEMU_USER = 107;

/** Guests run as a user without privileges, unless the cluster wants root. */
export function defaultRuntimeUser(
  instance: VirtualMachineInstance,
  settings: ClusterSettings,
): VirtualMachineInstance {
  if (isGateOpen(settings, 'Root')) return instance;
  return { ...instance, status: { ...instance.status, runtimeUser: QEMU_USER } };
}
