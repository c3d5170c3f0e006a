import { parseQuantity, scaleQuantity } from '@smalt/quantity';

import { PlacementError } from '../placement-error.ts';
import type { QuantitiesByName } from '../pod.ts';

/** Amounts by resource: thousandths of processors for `cpu`, whole units for all others. */
export type Amounts = ReadonlyMap<string, number>;

/** Reads amounts from an object. Throws a PlacementError that names the field when one is no quantity. */
export function readAmounts(quantities: QuantitiesByName | undefined, field: string): Amounts {
  return new Map(
    Object.entries(quantities ?? {}).map(([name, quantity]) => [name, amountOf(name, quantity, `${field}.${name}`)]),
  );
}

function amountOf(name: string, quantity: number | string, field: string): number {
  try {
    const amount = Number(scaleQuantity(parseQuantity(String(quantity)), name === 'cpu' ? -3 : 0));
    if (amount >= 0) return amount;
  } catch (error) {
    const message = `${field}: "${quantity}" is no quantity; write it like "1", "500m" or "2Gi"`;
    throw new PlacementError('invalid-quantity', message, { cause: error });
  }
  throw new PlacementError('invalid-quantity', `${field}: "${quantity}" is less than zero; write zero or more`);
}

/** The sum of both, resource by resource. */
export function addAmounts(left: Amounts, right: Amounts): Amounts {
  const sum = new Map(left);
  for (const [name, amount] of right) sum.set(name, (sum.get(name) ?? 0) + amount);
  return sum;
}

/** The larger of both, resource by resource. */
export function largerAmounts(left: Amounts, right: Amounts): Amounts {
  const larger = new Map(left);
  for (const [name, amount] of right) larger.set(name, Math.max(larger.get(name) ?? 0, amount));
  return larger;
}
