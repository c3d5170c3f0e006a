import { compareQuantities, formatQuantity, parseQuantity, quantitySign, type Quantity } from '@smalt/quantity';

import { invalid, required, type Cause } from '../../cause.ts';
import { gateAdvice, isGateOpen } from '../../feature-gates.ts';
import { resourceAmounts } from '../../resource-amounts.ts';
import type { SpecScope } from '../spec-rule.ts';

const LEAST_MEMORY = parseQuantity('1M');

/** The requested memory is nothing, or at least a megabyte. */
export function validateMemoryRequest({ path, spec }: SpecScope): readonly Cause[] {
  const { requestedMemory } = resourceAmounts(spec);
  const field = `${path}.domain.resources.requests.memory`;
  if (quantitySign(requestedMemory) < 0) return [mustNotBeNegative(field, requestedMemory)];
  if (quantitySign(requestedMemory) === 0 || compareQuantities(requestedMemory, LEAST_MEMORY) >= 0) return [];
  return [invalid(field, `${field} '${formatQuantity(requestedMemory)}': must be greater than or equal to 1M.`)];
}

/** The limit of memory is at least what is requested. */
export function validateMemoryLimit({ path, spec }: SpecScope): readonly Cause[] {
  const { requestedMemory, limitedMemory } = resourceAmounts(spec);
  const request = `${path}.domain.resources.requests.memory`;
  const limit = `${path}.domain.resources.limits.memory`;
  if (quantitySign(limitedMemory) < 0) return [mustNotBeNegative(limit, limitedMemory)];
  if (quantitySign(limitedMemory) === 0 || compareQuantities(requestedMemory, limitedMemory) <= 0) return [];
  return [invalid(request, greaterThan([request, requestedMemory], [limit, limitedMemory]))];
}

/** The guest has no more memory than its limit, where its memory cannot grow later. */
export function validateGuestMemory({ path, spec, settings }: SpecScope): readonly Cause[] {
  const { guestMemory, limitedMemory } = resourceAmounts(spec);
  if (settings.rolloutStrategy === 'LiveUpdate' || quantitySign(limitedMemory) === 0) return [];
  if (compareQuantities(limitedMemory, guestMemory) >= 0) return [];
  const field = `${path}.domain.memory.guest`;
  const limit = `${path}.domain.resources.limits.memory '${formatQuantity(limitedMemory)}'`;
  return [
    invalid(field, `${field} '${formatQuantity(guestMemory)}' must be equal to or less than the memory limit ${limit}`),
  ];
}

/** An instance says how much memory it has. A template need not: an instance type may say it. */
export function validateMemoryIsGiven({ path, spec }: SpecScope): readonly Cause[] {
  const { memory } = spec.domain;
  const isGiven =
    quantitySign(resourceAmounts(spec).requestedMemory) !== 0 ||
    memory?.guest !== undefined ||
    memory?.hugepages !== undefined;
  if (isGiven) return [];
  const choices = `'${path}.domain.memory.guest', '${path}.domain.memory.hugepages.pageSize' or '${path}.domain.resources.requests.memory'`;
  return [required('', `no memory requested, at least one of ${choices} must be set`)];
}

/** Reserving memory beside that of the guest is behind a gate. */
export function validateReservedOverhead({ path, spec, settings }: SpecScope): readonly Cause[] {
  if (spec.domain.memory?.reservedOverhead === undefined || isGateOpen(settings, 'ReservedOverheadMemlock')) return [];
  return [
    invalid(
      `${path}.domain.memory.reservedOverhead`,
      'Reserved overhead memlock feature gate is not enabled in kubevirt-config',
      gateAdvice('ReservedOverheadMemlock'),
    ),
  ];
}

/** The cause for an amount below zero. */
export function mustNotBeNegative(field: string, amount: Quantity): Cause {
  return invalid(field, `${field} '${formatQuantity(amount)}': must be greater than or equal to 0.`);
}

/** The words for one amount that must not be above another. */
export function greaterThan(
  [field, amount]: readonly [string, Quantity],
  [otherField, other]: readonly [string, Quantity],
): string {
  return `${field} '${formatQuantity(amount)}' is greater than ${otherField} '${formatQuantity(other)}'`;
}
