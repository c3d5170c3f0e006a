import { quantitySign } from '@smalt/quantity';
import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { readAmount, resourceAmounts } from '../resource-amounts.ts';
import { changeDomain } from './change-domain.ts';

/** The guest sees the memory that is requested, else the limit, else one huge page. */
export function defaultGuestMemory(spec: VirtualMachineInstanceSpec): VirtualMachineInstanceSpec {
  const { memory } = spec.domain;
  if (memory?.guest !== undefined) return spec;
  const guest = guestMemory(spec);
  return changeDomain(spec, { memory: guest === undefined ? { ...memory } : { ...memory, guest } });
}

function guestMemory(spec: VirtualMachineInstanceSpec): number | string | undefined {
  const { requestedMemory, limitedMemory } = resourceAmounts(spec);
  const { requests, limits } = spec.domain.resources ?? {};
  if (quantitySign(requestedMemory) !== 0) return requests?.['memory'];
  if (quantitySign(limitedMemory) !== 0) return limits?.['memory'];
  const pageSize = spec.domain.memory?.hugepages?.pageSize;
  return readAmount(pageSize) === undefined ? undefined : pageSize;
}
