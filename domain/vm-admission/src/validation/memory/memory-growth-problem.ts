import { compareQuantities, quantityValue } from '@smalt/quantity';
import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { readAmount } from '../../resource-amounts.ts';

const MIB = 2n ** 20n;
const GIB = 2n ** 30n;

/** Why the memory of a guest cannot grow to that much while it runs, or undefined when it can. */
export function memoryGrowthProblem(
  spec: VirtualMachineInstanceSpec,
  maxGuest: number | string | undefined,
): string | undefined {
  return incompatibility(spec) ?? amountProblem(spec, maxGuest) ?? machineProblem(spec);
}

function incompatibility({ domain }: VirtualMachineInstanceSpec): string | undefined {
  if (domain.cpu?.realtime !== undefined) return 'Memory hotplug is not compatible with realtime VMs';
  if (domain.cpu?.numa?.guestMappingPassthrough !== undefined) {
    return 'Memory hotplug is not compatible with guest mapping passthrough';
  }
  if (domain.launchSecurity !== undefined) return 'Memory hotplug is not compatible with encrypted VMs';
  return undefined;
}

function amountProblem(
  { domain }: VirtualMachineInstanceSpec,
  maxGuest: number | string | undefined,
): string | undefined {
  const guest = readAmount(domain.memory?.guest);
  const most = readAmount(maxGuest);
  if (guest === undefined) return 'Guest memory must be configured when memory hotplug is enabled';
  if (most === undefined) return 'Max guest memory must be configured when memory hotplug is enabled';
  if (compareQuantities(guest, most) > 0) return 'Guest memory is greater than the configured maxGuest memory';
  // Memory is plugged in by blocks, and a block of a guest on 1Gi pages is such a page.
  const usesGibPages = domain.memory?.hugepages?.pageSize === '1Gi';
  const [block, blockText] = usesGibPages ? [GIB, '1Gi'] : [2n * MIB, '2Mi'];
  if (quantityValue(guest) % block !== 0n) return `Guest memory must be ${blockText} aligned`;
  if (quantityValue(most) % block !== 0n) return `MaxGuest must be ${blockText} aligned`;
  return undefined;
}

function machineProblem({ architecture, domain }: VirtualMachineInstanceSpec): string | undefined {
  if (architecture !== 'amd64') return 'Memory hotplug is only available for x86_64 VMs';
  const guest = readAmount(domain.memory?.guest);
  if (guest !== undefined && quantityValue(guest) < GIB) {
    return 'Memory hotplug is only available for VMs with at least 1Gi of guest memory';
  }
  return undefined;
}
