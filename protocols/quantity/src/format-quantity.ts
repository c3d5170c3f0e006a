import { scaleQuantity, type Quantity } from './quantity.ts';

const DECIMAL_SUFFIXES: ReadonlyMap<number, string> = new Map([
  [-9, 'n'],
  [-6, 'u'],
  [-3, 'm'],
  [0, ''],
  [3, 'k'],
  [6, 'M'],
  [9, 'G'],
  [12, 'T'],
  [15, 'P'],
  [18, 'E'],
]);
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;

/** Writes a quantity as Kubernetes does: the shortest form of its format that loses nothing. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.mantissa === 0n) return '0';
  if (quantity.format === 'BinarySI' && quantity.exponent < 1000) {
    const value = scaleQuantity(quantity, 0);
    // Small and fractional amounts read better, and exactly, in decimal.
    if (isWhole(quantity, value) && (value <= -1024n || value >= 1024n)) return formatBinary(value);
  }
  return formatDecimal(quantity);
}

function isWhole(quantity: Quantity, value: bigint): boolean {
  return quantity.exponent >= 0 || value * 10n ** BigInt(-quantity.exponent) === quantity.mantissa;
}

function formatBinary(value: bigint): string {
  let amount = value;
  let power = 0;
  while (amount % 1024n === 0n && power < BINARY_SUFFIXES.length - 1) {
    amount /= 1024n;
    power++;
  }
  return `${amount}${BINARY_SUFFIXES[power] ?? ''}`;
}

function formatDecimal(quantity: Quantity): string {
  const digits = quantity.mantissa.toString();
  const trimmed = digits.replace(/0+$/, '');
  let exponent = quantity.exponent + digits.length - trimmed.length;
  let zeros = '';
  while (exponent % 3 !== 0 || (quantity.format !== 'DecimalExponent' && exponent > 18)) {
    zeros += '0';
    exponent--;
  }
  if (quantity.format === 'DecimalExponent') return trimmed + zeros + (exponent === 0 ? '' : `e${exponent}`);
  return trimmed + zeros + (DECIMAL_SUFFIXES.get(exponent) ?? '');
}
