/** A number that lies between two bounds. It stops at what an unsigned 64-bit integer can hold. */
export interface CostRange {
  readonly min: number;
  readonly max: number;
}

/** What is not known to be smaller. */
export const UNBOUNDED: number = 2 ** 64;
export const UNKNOWN: CostRange = { min: 0, max: UNBOUNDED };
export const ZERO: CostRange = { min: 0, max: 0 };
export const ONE: CostRange = { min: 1, max: 1 };

export function exactly(value: number): CostRange {
  return { min: value, max: value };
}

export function sum(...ranges: readonly CostRange[]): CostRange {
  return ranges.reduce(
    (total, range) => ({ min: capped(total.min + range.min), max: capped(total.max + range.max) }),
    ZERO,
  );
}

export function product(left: CostRange, right: CostRange): CostRange {
  return { min: capped(left.min * right.min), max: capped(left.max * right.max) };
}

/** The range times a factor, rounded up. */
export function scaled(range: CostRange, factor: number): CostRange {
  return { min: capped(Math.ceil(range.min * factor)), max: capped(Math.ceil(range.max * factor)) };
}

/** The range that holds both. */
export function union(left: CostRange, right: CostRange): CostRange {
  return { min: Math.min(left.min, right.min), max: Math.max(left.max, right.max) };
}

function capped(value: number): number {
  return Math.min(value, UNBOUNDED);
}
