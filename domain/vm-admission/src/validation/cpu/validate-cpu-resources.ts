import { compareQuantities, quantitySign } from '@smalt/quantity';

import { invalid, type Cause } from '../../cause.ts';
import { resourceAmounts } from '../../resource-amounts.ts';
import { greaterThan, mustNotBeNegative } from '../memory/validate-memory.ts';
import type { SpecScope } from '../spec-rule.ts';

/** Processor time is not negative, and not more of it is requested than allowed. */
export function validateCpuResources({ path, spec }: SpecScope): readonly Cause[] {
  const { requestedCpu, limitedCpu } = resourceAmounts(spec);
  const request = `${path}.domain.resources.requests.cpu`;
  const limit = `${path}.domain.resources.limits.cpu`;
  const exceeds = quantitySign(limitedCpu) > 0 && compareQuantities(requestedCpu, limitedCpu) > 0;
  return [
    ...(quantitySign(requestedCpu) < 0 ? [mustNotBeNegative(request, requestedCpu)] : []),
    ...(quantitySign(limitedCpu) < 0 ? [mustNotBeNegative(limit, limitedCpu)] : []),
    ...(exceeds ? [invalid(request, greaterThan([request, requestedCpu], [limit, limitedCpu]))] : []),
  ];
}
