import { formatQuantity, isQuantity, parseQuantity, quantityOfInteger, quantityValue } from '@smalt/quantity';
import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import type { ChosenSpecs } from '../instance-template.ts';
import { fieldsThat } from './conflict.ts';

const WHOLE_PERCENT = 100n;

/** The first field about memory that a machine and its instance type both set. */
export function memoryConflicts(
  { domain }: VirtualMachineInstanceSpec,
  { instancetype }: ChosenSpecs,
): readonly string[] {
  const { memory, resources } = domain;
  const type = instancetype?.memory;
  if (type === undefined) return [];
  return fieldsThat([
    ['domain.memory.guest', memory?.guest !== undefined],
    ['domain.memory.hugepages', memory?.hugepages !== undefined && type.hugepages !== undefined],
    ['domain.memory.maxGuest', memory?.maxGuest !== undefined && type.maxGuest !== undefined],
    ['domain.resources.requests.memory', resources?.requests?.['memory'] !== undefined],
    ['domain.resources.limits.memory', resources?.limits?.['memory'] !== undefined],
  ]).slice(0, 1);
}

/** The spec with the memory of the instance type; overcommitted, it asks the node for less than the guest sees. */
export function applyMemory(
  spec: VirtualMachineInstanceSpec,
  { instancetype }: ChosenSpecs,
): VirtualMachineInstanceSpec {
  if (instancetype === undefined) return spec;
  const { guest, hugepages, maxGuest, overcommitPercent = 0 } = instancetype.memory;
  const { domain } = spec;
  const memory = {
    ...domain.memory,
    guest,
    ...(hugepages === undefined ? {} : { hugepages }),
    ...(maxGuest === undefined ? {} : { maxGuest }),
  };
  const request = overcommitPercent > 0 ? requestOf(guest, overcommitPercent) : undefined;
  const { resources } = domain;
  const less =
    request === undefined ? {} : { resources: { ...resources, requests: { ...resources?.requests, memory: request } } };
  return { ...spec, domain: { ...domain, memory, ...less } };
}

function requestOf(guest: number | string, overcommitPercent: number): string | undefined {
  const text = String(guest);
  // The schema of the kind lets amounts through that no number can hold.
  if (!isQuantity(text)) return undefined;
  const amount = parseQuantity(text);
  const share = WHOLE_PERCENT - BigInt(Math.min(100, Math.trunc(overcommitPercent)));
  const value = (quantityValue(amount) * share) / WHOLE_PERCENT;
  return formatQuantity(quantityOfInteger(value, amount.format));
}
