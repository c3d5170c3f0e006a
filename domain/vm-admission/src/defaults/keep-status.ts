import type { VirtualMachineInstance } from '@smalt/vm-api';

/**
 * An instance as somebody else than the control plane may write it: with the status that it had. The status is no
 * subresource of this kind, so it would be written along otherwise.
 */
export function keepStatus(instance: VirtualMachineInstance, old: VirtualMachineInstance): VirtualMachineInstance {
  const { status: _written, ...rest } = instance;
  return old.status === undefined ? rest : { ...rest, status: old.status };
}
