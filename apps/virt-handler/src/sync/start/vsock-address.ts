import type { VirtualMachineInstance } from '@smalt/vm-api';

/** The first that is not set aside for hypervisors and hosts. */
const FIRST_ADDRESS = 3;

/** The address of the guest's socket to the host: what its status says, or the first that no guest of this node has. */
export function vsockAddress(
  { spec, status }: VirtualMachineInstance,
  taken: readonly (number | undefined)[],
): number | undefined {
  if (spec.domain.devices.autoattachVSOCK !== true) return undefined;
  if (status?.VSOCKCID !== undefined) return status.VSOCKCID;
  let address = FIRST_ADDRESS;
  while (taken.includes(address)) address++;
  return address;
}
