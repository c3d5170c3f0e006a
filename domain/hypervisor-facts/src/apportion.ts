/**
 * Divides a whole amount in proportion to weights, whole numbers too, without losing anything: what rounding down leaves
 * goes to the largest remainders, and among equal ones to the first. Nothing is given if all weights are 0.
 */
export function apportion(amount: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((total, weight) => total + BigInt(weight), 0n);
  if (sum === 0n) return weights.map(() => 0);

  // Memory in KiB times a number of CPUs can be more than a double holds exactly.
  const products = weights.map((weight) => BigInt(amount) * BigInt(weight));
  const shares = products.map((product) => Number(product / sum));
  const left = amount - shares.reduce((total, share) => total + share, 0);
  const byRemainder = [...products.entries()].toSorted(
    ([leftIndex, leftProduct], [rightIndex, rightProduct]) =>
      Number((rightProduct % sum) - (leftProduct % sum)) || leftIndex - rightIndex,
  );
  for (const [index] of byRemainder.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}
