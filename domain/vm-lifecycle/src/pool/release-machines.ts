import type { VirtualMachine, VirtualMachinePool } from '@smalt/vm-api';

import { decideClaims, type Claims } from '../claims/decide-claims.ts';

/** Which machines a pool has and lets go of. It takes none: their names, disks and settings are not of its making. */
export function releaseMachines(
  pool: VirtualMachinePool,
  machines: readonly VirtualMachine[],
): Omit<Claims<VirtualMachine>, 'adopted'> {
  const { selector, virtualMachineTemplate } = pool.spec;
  const set = { owner: pool, selector, templateLabels: virtualMachineTemplate.metadata?.labels };
  const { own, released } = decideClaims(set, machines, () => false);
  return { own, released };
}
