import { parseQuantity, quantityAsApproximateFloat } from '@smalt/quantity';

/** What a quantity comes to, such as bytes; NaN when it is not said. */
export function quantityValue(quantity: number | string | undefined): number {
  if (quantity === undefined) return Number.NaN;
  if (typeof quantity === 'number') return quantity;
  try {
    return quantityAsApproximateFloat(parseQuantity(quantity));
  } catch {
    // The server takes only quantities; what an older one took is shown as unknown.
    return Number.NaN;
  }
}
