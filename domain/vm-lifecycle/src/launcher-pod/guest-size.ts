import { parseQuantity, quantityValue, scaleQuantity } from '@smalt/quantity';
import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { LifecycleError } from '../lifecycle-error.ts';

/** How many processors the guest sees. */
export function virtualProcessorCount({ domain }: VirtualMachineInstanceSpec): number {
  const { sockets, cores, threads } = domain.cpu ?? {};
  if ((sockets ?? 0) + (cores ?? 0) + (threads ?? 0) > 0) return (sockets || 1) * (cores || 1) * (threads || 1);
  const { limits, requests } = domain.resources ?? {};
  const quantity = limits?.['cpu'] ?? requests?.['cpu'];
  const whole = quantity === undefined ? 1 : Math.ceil(readMilli(quantity, 'spec.domain.resources.cpu') / 1000);
  return Math.max(1, whole);
}

/** The memory that the guest sees, in bytes; undefined when the spec does not say. */
export function guestMemoryBytes({ domain }: VirtualMachineInstanceSpec): bigint | undefined {
  const { memory, resources } = domain;
  const sources: readonly (readonly [number | string | undefined, string])[] = [
    [memory?.guest, 'spec.domain.memory.guest'],
    [resources?.requests?.['memory'], 'spec.domain.resources.requests.memory'],
    [resources?.limits?.['memory'], 'spec.domain.resources.limits.memory'],
    [memory?.hugepages?.pageSize, 'spec.domain.memory.hugepages.pageSize'],
  ];
  const found = sources.find(([quantity]) => quantity !== undefined);
  return found?.[0] === undefined ? undefined : readBytes(found[0], found[1]);
}

/** Reads an amount in whole units. Throws a LifecycleError that names the field. */
export function readBytes(quantity: number | string, field: string): bigint {
  return reading(quantity, field, () => quantityValue(parseQuantity(String(quantity))));
}

/** Reads an amount in thousandths. Throws a LifecycleError that names the field. */
export function readMilli(quantity: number | string, field: string): number {
  return reading(quantity, field, () => Number(scaleQuantity(parseQuantity(String(quantity)), -3)));
}

function reading<T>(quantity: number | string, field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const message = `${field}: "${quantity}" is no quantity; write it like "2", "500m" or "2Gi"`;
    throw new LifecycleError('invalid-quantity', message, { cause: error });
  }
}
