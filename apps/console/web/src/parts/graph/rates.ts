/** A total at a moment. */
export interface Reading {
  readonly atMs: number;
  readonly total: number;
}

/** What came per second between two readings; null where that cannot be said, which is a gap in a graph. */
export function ratePerSecond(before: Reading | undefined, after: Reading): number | null {
  if (before === undefined) return null;
  const seconds = (after.atMs - before.atMs) / 1000;
  // A total that fell is another counter: the guest was started anew, or has moved.
  if (seconds <= 0 || after.total < before.total) return null;
  return (after.total - before.total) / seconds;
}

/** The rates of a row of readings. There is one for each reading; the first has none before it. */
export function ratesOf(readings: readonly Reading[]): readonly (number | null)[] {
  return readings.map((reading, index) => ratePerSecond(readings[index - 1], reading));
}
