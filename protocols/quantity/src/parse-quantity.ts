import { divideAwayFromZero, isInt64, type Quantity, type QuantityFormat } from './quantity.ts';
import { QuantityError } from './quantity-error.ts';

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const PARTS = /^([+-]?)0*([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;
const NANO = -9;
const MAX_INT64_DIGITS = 18;
const MAX_DIGITS = 1000;
const MAX_BINARY = 2n ** 63n - 1n;
const MAX_EXPONENT = 2 ** 31 - 1;

const SUFFIXES: ReadonlyMap<string, Suffix> = new Map([
  ...['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'].map((suffix, index): [string, Suffix] => [
    suffix,
    { base: 10, exponent: 3 * index + NANO, format: 'DecimalSI' },
  ]),
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((suffix, index): [string, Suffix] => [
    suffix,
    { base: 2, exponent: 10 * (index + 1), format: 'BinarySI' },
  ]),
]);

/**
 * Reads a quantity such as `1.5Gi`, `200m` or `1e3`. Amounts below a nano are rounded up to one; binary amounts above
 * what an int64 holds become the largest it holds.
 */
export function parseQuantity(text: string): Quantity {
  const parts = PARTS.exec(text);
  if (text === '' || parts === null) throw malformed();
  const [, sign = '', whole = '', fraction = '', suffixText = ''] = parts;
  const suffix = readSuffix(suffixText);
  const digits = (whole === '' ? '0' : whole) + fraction;
  // Long numbers take long to read, and no amount needs them.
  if (digits.length > MAX_DIGITS) throw new QuantityError('number', 'unable to parse numeric part of quantity');
  const isNegative = sign === '-';

  if (fitsInt64(whole === '' ? 1 : whole.length, fraction.length, suffix)) {
    const value = BigInt(digits);
    const mantissa = suffix.base === 2 ? value << BigInt(suffix.exponent) : value;
    const exponent = (suffix.base === 2 ? 0 : suffix.exponent) - fraction.length;
    if (exponent >= NANO && isInt64(mantissa)) {
      const quantity = {
        mantissa: isNegative ? -mantissa : mantissa,
        exponent,
        format: suffix.format,
        isDecimal: false,
      };
      return isReprinted(digits, value, exponent, suffix) ? { ...quantity, text } : quantity;
    }
  }
  return bigQuantity(BigInt(digits), fraction.length, suffix, isNegative);
}

/** Whether the text is a quantity. */
export function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}

function readSuffix(text: string): Suffix {
  const known = SUFFIXES.get(text);
  if (known !== undefined) return known;
  if (!/^[eE][-+]?[0-9]+$/.test(text)) throw unknownSuffix();
  const exponent = Number(text.slice(1));
  if (Math.abs(exponent) > MAX_EXPONENT) throw unknownSuffix();
  return { base: 10, exponent, format: 'DecimalExponent' };
}

function fitsInt64(wholeLength: number, fractionLength: number, suffix: Suffix): boolean {
  if (suffix.base === 10) return wholeLength + fractionLength <= MAX_INT64_DIGITS;
  return fractionLength === 0 && 14 - wholeLength - Math.trunc((suffix.exponent * 3) / 10) >= 0;
}

// Kubernetes prints some texts as they came, though they are not in its canonical form: 1.500 and +1 are such.
function isReprinted(digits: string, value: bigint, exponent: number, suffix: Suffix): boolean {
  if (suffix.base === 2) return (value & 7n) !== 0n;
  return exponent % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
}

function bigQuantity(digits: bigint, fractionLength: number, suffix: Suffix, isNegative: boolean): Quantity {
  let mantissa = suffix.base === 2 ? digits << BigInt(suffix.exponent) : digits;
  let exponent = (suffix.base === 2 ? 0 : suffix.exponent) - fractionLength;
  let { format } = suffix;
  if (exponent < NANO) {
    mantissa = divideAwayFromZero(mantissa, NANO - exponent);
    exponent = NANO;
  }
  if (format === 'BinarySI') {
    const scale = 10n ** BigInt(-exponent);
    if (mantissa > MAX_BINARY * scale) {
      mantissa = MAX_BINARY;
      exponent = 0;
    } else if (mantissa > 0n && mantissa < scale) {
      format = 'DecimalSI';
    }
  }
  return { mantissa: isNegative ? -mantissa : mantissa, exponent, format, isDecimal: true };
}

function malformed(): QuantityError {
  return new QuantityError(
    'format',
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  );
}

function unknownSuffix(): QuantityError {
  return new QuantityError('suffix', "unable to parse quantity's suffix");
}
