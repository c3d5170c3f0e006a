import type { VirtualMachineInstance } from '@smalt/vm-api';

/** Whether the guest has a display: it has unless it asks for none. */
export function hasGraphics({ spec }: VirtualMachineInstance): boolean {
  return spec.domain.devices.autoattachGraphicsDevice !== false;
}
