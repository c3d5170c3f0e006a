import { isQuantity } from '@smalt/quantity';

import { invalid, type Cause } from '../../cause.ts';
import { readAmount } from '../../resource-amounts.ts';
import type { SpecScope } from '../spec-rule.ts';

const FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Amounts can be read and are not absurd. The schema lets a few through that are not, such as `1e1.5` and `1e5000`. */
export function validateQuantities({ path, spec }: SpecScope): readonly Cause[] {
  const { resources, memory } = spec.domain;
  return [
    ...amountsOf(resources?.requests, `${path}.domain.resources.requests`),
    ...amountsOf(resources?.limits, `${path}.domain.resources.limits`),
    ...amountsOf(
      { guest: memory?.guest, maxGuest: memory?.maxGuest, 'hugepages.pageSize': memory?.hugepages?.pageSize },
      `${path}.domain.memory`,
    ),
  ];
}

function amountsOf(
  amounts: Readonly<Record<string, number | string | undefined>> | undefined,
  path: string,
): readonly Cause[] {
  return Object.entries(amounts ?? {})
    .filter(([, amount]) => amount !== undefined && readAmount(amount) === undefined)
    .map(([name, amount]) => {
      const problem = isQuantity(String(amount)) ? 'must be an amount that a machine can have.' : FORMAT;
      return invalid(
        `${path}.${name}`,
        `${path}.${name} '${amount}': ${problem}`,
        'Write it like 512Mi, 1.5Gi or 200m.',
      );
    });
}
