import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { changeDomain } from './change-domain.ts';

/** Gives the firmware the identity that the guest knows itself by, where it has none. */
export function defaultFirmware(
  spec: VirtualMachineInstanceSpec,
  randomUuid: () => string,
): VirtualMachineInstanceSpec {
  const { firmware } = spec.domain;
  if (firmware?.uuid !== undefined && firmware.uuid !== '') return spec;
  return changeDomain(spec, { firmware: { ...firmware, uuid: randomUuid() } });
}
