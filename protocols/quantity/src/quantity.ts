import { QuantityError } from './quantity-error.ts';

/** How a quantity is written: `1500m`, `1536Mi` or `15e2`. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/**
 * An exact amount, `mantissa` times ten to the power of `exponent`. `isDecimal` tells an amount that Kubernetes keeps
 * as a big decimal from one that it keeps as an int64: only the latter can be asked for as an integer.
 */
export interface Quantity {
  readonly mantissa: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
  readonly isDecimal: boolean;
  /** The text it was read from, where Kubernetes prints that again. */
  readonly text?: string;
}

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
/** Amounts this far apart are told apart by their digits: aligning them would take more memory than anyone has. */
const MAX_SHIFT = 2000;

/** Compares two amounts whatever their formats: negative, zero or positive. */
export function compareQuantities(left: Quantity, right: Quantity): number {
  const sign = quantitySign(left);
  const otherSign = quantitySign(right);
  if (sign !== otherSign || sign === 0) return sign - otherSign;
  if (Math.abs(left.exponent - right.exponent) > MAX_SHIFT) return sign * (magnitude(left) - magnitude(right));
  const [first, second] = align(left, right);
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

/** The sum. A zero on the left takes over the format of the right. */
export function addQuantities(left: Quantity, right: Quantity): Quantity {
  return combine(left, right, (first, second) => first + second);
}

/** The difference. A zero on the left takes over the format of the right. */
export function subtractQuantities(left: Quantity, right: Quantity): Quantity {
  return combine(left, right, (first, second) => first - second);
}

/** -1, 0 or 1. */
export function quantitySign(quantity: Quantity): number {
  if (quantity.mantissa === 0n) return 0;
  return quantity.mantissa < 0n ? -1 : 1;
}

/** The amount as an int64, or undefined where Kubernetes says that it is none (`1000m` is none, `1k` is one). */
export function quantityAsInteger(quantity: Quantity): bigint | undefined {
  if (quantity.isDecimal || quantity.exponent < 0 || quantity.exponent > 19) return undefined;
  const value = quantity.mantissa * 10n ** BigInt(quantity.exponent);
  return isInt64(value) ? value : undefined;
}

/** Whether the amount can be asked for as an integer. */
export function isIntegerQuantity(quantity: Quantity): boolean {
  return quantityAsInteger(quantity) !== undefined;
}

/** The amount rounded up to a whole number, away from zero. */
export function quantityValue(quantity: Quantity): bigint {
  return scaleQuantity(quantity, 0);
}

/** The amount in units of ten to the power of `scale`, rounded away from zero: with -3, in thousandths. */
export function scaleQuantity(quantity: Quantity, scale: number): bigint {
  const shift = quantity.exponent - scale;
  if (shift > MAX_SHIFT) throw new QuantityError('range', 'the quantity is too large to be written as an integer');
  return shift >= 0 ? quantity.mantissa * 10n ** BigInt(shift) : divideAwayFromZero(quantity.mantissa, -shift);
}

/** The nearest floating-point number that is cheap to find; precision may be lost. */
export function quantityAsApproximateFloat(quantity: Quantity): number {
  const base = Number(quantity.mantissa);
  return quantity.exponent === 0 ? base : base * 10 ** quantity.exponent;
}

/** The amount of a whole number. */
export function quantityOfInteger(value: bigint, format: QuantityFormat = 'DecimalSI'): Quantity {
  return { mantissa: value, exponent: 0, format, isDecimal: !isInt64(value) };
}

/** Divides by ten to the power of `digits`; what is left over counts as one more. */
export function divideAwayFromZero(value: bigint, digits: number): bigint {
  if (value === 0n) return 0n;
  const one = value < 0n ? -1n : 1n;
  if (digits > value.toString().length) return one;
  const divisor = 10n ** BigInt(digits);
  const quotient = value / divisor;
  return quotient * divisor === value ? quotient : quotient + one;
}

export function isInt64(value: bigint): boolean {
  return value <= MAX_INT64 && value >= MIN_INT64;
}

function combine(left: Quantity, right: Quantity, operate: (first: bigint, second: bigint) => bigint): Quantity {
  const format = left.mantissa === 0n ? right.format : left.format;
  // A zero has no scale of its own; keeping its exponent would only make the other amount longer.
  if (right.mantissa === 0n) return { ...withoutText(left), format };
  const base = left.mantissa === 0n ? { ...left, exponent: right.exponent } : left;
  if (Math.abs(base.exponent - right.exponent) > MAX_SHIFT) {
    throw new QuantityError('range', 'the quantities are too far apart to be added');
  }
  const [first, second] = align(base, right);
  const mantissa = operate(first, second);
  const isDecimal = left.isDecimal || right.isDecimal || ![first, second, mantissa].every(isInt64);
  return { mantissa, exponent: Math.min(base.exponent, right.exponent), format, isDecimal };
}

function withoutText({ mantissa, exponent, format, isDecimal }: Quantity): Quantity {
  return { mantissa, exponent, format, isDecimal };
}

function align(left: Quantity, right: Quantity): readonly [bigint, bigint] {
  const exponent = Math.min(left.exponent, right.exponent);
  return [
    left.mantissa * 10n ** BigInt(left.exponent - exponent),
    right.mantissa * 10n ** BigInt(right.exponent - exponent),
  ];
}

function magnitude(quantity: Quantity): number {
  const { mantissa } = quantity;
  return (mantissa < 0n ? -mantissa : mantissa).toString().length + quantity.exponent;
}
