import { formatQuantity, quantitySign, quantityValue } from '@smalt/quantity';

import { invalid, type Cause } from '../../cause.ts';
import { readAmount, resourceAmounts } from '../../resource-amounts.ts';
import type { SpecScope } from '../spec-rule.ts';

/** Memory on huge pages is a whole number of them. */
export function validateHugepages({ path, spec }: SpecScope): readonly Cause[] {
  const text = spec.domain.memory?.hugepages?.pageSize;
  const size = readAmount(text);
  // A size that cannot be read is told with the other amounts.
  if (size === undefined || text === undefined) return [];
  const pageField = `${path}.domain.memory.hugepages.pageSize`;
  if (quantitySign(size) <= 0) {
    return [invalid(pageField, `${pageField} '${text}': must be greater than 0.`, 'Use a size such as 2Mi or 1Gi.')];
  }
  const { requestedMemory, guestMemory, limitedMemory } = resourceAmounts(spec);
  const used = [requestedMemory, guestMemory, limitedMemory].find((amount) => quantitySign(amount) !== 0);
  if (used === undefined) return [];
  const memory = quantityValue(used);
  const page = quantityValue(size);
  const field = `${path}.domain.resources.requests.memory`;
  const [start, end] = [`${field} '${formatQuantity(requestedMemory)}'`, `${pageField} '${text}'`];
  const advice = `The memory is ${formatQuantity(used)}.`;
  if (memory < page) return [invalid(field, `${start} must be equal to or larger than page size ${end}`, advice)];
  return memory % page === 0n ? [] : [invalid(field, `${start} is not a multiple of the page size ${end}`, advice)];
}
