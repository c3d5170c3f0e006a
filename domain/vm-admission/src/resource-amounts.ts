import { isQuantity, parseQuantity, type Quantity } from '@smalt/quantity';
import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

/** The amounts that an instance asks for. What is not there, and what cannot be read, is zero. */
export interface ResourceAmounts {
  readonly requestedMemory: Quantity;
  readonly limitedMemory: Quantity;
  readonly requestedCpu: Quantity;
  readonly limitedCpu: Quantity;
  readonly guestMemory: Quantity;
}

const ZERO = parseQuantity('0');

export function resourceAmounts(spec: VirtualMachineInstanceSpec): ResourceAmounts {
  const { requests, limits } = spec.domain.resources ?? {};
  return {
    requestedMemory: amount(requests?.['memory']),
    limitedMemory: amount(limits?.['memory']),
    requestedCpu: amount(requests?.['cpu']),
    limitedCpu: amount(limits?.['cpu']),
    guestMemory: amount(spec.domain.memory?.guest),
  };
}

/** No machine has more than this power of ten of anything; numbers with many more digits take long to work with. */
const MAX_EXPONENT = 30;

/** Reads an amount; undefined for one that is not there, cannot be read, or is larger than anything there is. */
export function readAmount(value: number | string | undefined): Quantity | undefined {
  const text = value === undefined ? '' : String(value);
  const quantity = isQuantity(text) ? parseQuantity(text) : undefined;
  return quantity === undefined || isTooLarge(quantity) ? undefined : quantity;
}

function isTooLarge({ mantissa, exponent }: Quantity): boolean {
  return mantissa !== 0n && mantissa.toString().length + exponent > MAX_EXPONENT;
}

function amount(value: number | string | undefined): Quantity {
  return readAmount(value) ?? ZERO;
}
