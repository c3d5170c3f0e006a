import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isIntegerQuantity,
  isQuantity,
  parseQuantity,
  quantityAsApproximateFloat,
  quantityAsInteger,
  quantityOfInteger,
  quantitySign,
  quantityValue,
  scaleQuantity,
  subtractQuantities,
} from './index.ts';

describe('formatQuantity', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['0.1', '100m'],
    ['0.5', '500m'],
    ['1.500', '1.500'],
    ['+1', '+1'],
    ['100n', '100n'],
    ['1000n', '1u'],
    ['1000000', '1M'],
    ['100k', '100k'],
    ['12e6', '12e6'],
    ['1E3', '1E3'],
    ['1.2e-3', '1200e-6'],
    ['1.5Gi', '1536Mi'],
    ['2048Ki', '2Mi'],
    ['1024Mi', '1Gi'],
    ['1025', '1025'],
    ['1000Ki', '1000Ki'],
    ['0.5Ki', '512'],
    ['665065937.5Ki', '681027520000'],
    ['681027520000', '681027520k'],
    ['0.25Ki', '256'],
    ['0.0001Ki', '102400u'],
    ['-1.5Gi', '-1536Mi'],
    ['10Ei', '9223372036854775807'],
    ['-10Ei', '-9223372036854775807'],
    ['0.1n', '1n'],
    ['-0.1n', '-1n'],
    ['1e-100', '1e-9'],
    ['999999999999999999999k', '999999999999999999999k'],
    ['1e2000000000', '100e1999999998'],
  ])('writes %s as %s', (text, canonical) => {
    expect(formatQuantity(parseQuantity(text))).toBe(canonical);
  });

  it('writes sums in the format of their left part, or of the right one where the left is zero', () => {
    const sums = [
      ['1.5Gi', '512Mi'],
      ['50k', '20'],
      ['0', '1Ki'],
      ['1', '0.5Ki'],
    ] as const;

    const written = sums.map(([left, right]) =>
      formatQuantity(addQuantities(parseQuantity(left), parseQuantity(right))),
    );

    expect(written).toEqual(['2Gi', '50020', '1Ki', '513']);
  });
});

describe('parseQuantity', () => {
  it.each(['', 'a', '1..2', '1.2.3', '1 Gi', '1Gi ', '1m5x', '0x10', '１'])(
    'says that %j has no such shape',
    (text) => {
      expect(() => parseQuantity(text)).toThrow(
        expect.objectContaining({
          code: 'format',
          message: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        }),
      );
    },
  );

  it.each(['--1', '1K', '1mm', '1e', '1e99999999999', '1Gi2'])('says that %j has no such suffix', (text) => {
    expect(() => parseQuantity(text)).toThrow(
      expect.objectContaining({ code: 'suffix', message: "unable to parse quantity's suffix" }),
    );
  });

  it('refuses numbers that no one needs before it reads them', () => {
    expect(() => parseQuantity('1'.repeat(3_000_000))).toThrow(
      expect.objectContaining({ code: 'number', message: 'unable to parse numeric part of quantity' }),
    );
  });

  it('throws nothing but QuantityError', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(isQuantity(text)).toBeTypeOf('boolean');
      }),
    );
  });

  it('reads back what was written', () => {
    fc.assert(
      fc.property(texts(), (text) => {
        const written = formatQuantity(parseQuantity(text));
        // Without a suffix the format of bytes is lost, as in Kubernetes, so it may be written once more in another way.
        const settled = formatQuantity(parseQuantity(written));

        expect(compareQuantities(parseQuantity(written), parseQuantity(text))).toBe(0);
        expect(compareQuantities(parseQuantity(settled), parseQuantity(text))).toBe(0);
        expect(formatQuantity(parseQuantity(settled))).toBe(settled);
      }),
      { numRuns: 1000, examples: [['665065937.5Ki']] },
    );
  });
});

describe('arithmetic', () => {
  it('is exact', () => {
    fc.assert(
      fc.property(nanos(), nanos(), (left, right) => {
        const [first, second] = [inNanos(left), inNanos(right)];

        expect(scaleQuantity(addQuantities(first, second), -9)).toBe(left + right);
        expect(scaleQuantity(subtractQuantities(first, second), -9)).toBe(left - right);
        expect(Math.sign(compareQuantities(first, second))).toBe(signOf(left - right));
        expect(quantitySign(first)).toBe(signOf(left));
      }),
    );
  });

  it('compares amounts of any size, and says when they cannot be added', () => {
    const huge = parseQuantity('1e1000000');

    expect(compareQuantities(huge, parseQuantity('1'))).toBeGreaterThan(0);
    expect(compareQuantities(parseQuantity('-1e1000000'), parseQuantity('-1'))).toBeLessThan(0);
    expect(() => addQuantities(huge, parseQuantity('1'))).toThrow(expect.objectContaining({ code: 'range' }));
    expect(() => quantityValue(huge)).toThrow(expect.objectContaining({ code: 'range' }));
  });

  it.each([
    ['1k', true, 1000n],
    ['1Ki', true, 1024n],
    ['1000m', false, undefined],
    ['1.5Gi', false, undefined],
    ['1.50k', true, 1500n],
    ['9999999999999999999999G', false, undefined],
  ])('%s is an integer: %s', (text, isInteger, value) => {
    const quantity = parseQuantity(text);

    expect([isIntegerQuantity(quantity), quantityAsInteger(quantity)]).toEqual([isInteger, value]);
  });

  it('rounds away from zero to whole numbers', () => {
    expect(['1m', '-1m', '1.1', '2', '0'].map((text) => quantityValue(parseQuantity(text)))).toEqual([
      1n,
      -1n,
      2n,
      2n,
      0n,
    ]);
  });

  it('gives the nearest floating-point number', () => {
    expect(['1500m', '50k', '-1Ki'].map((text) => quantityAsApproximateFloat(parseQuantity(text)))).toEqual([
      1.5, 50_000, -1024,
    ]);
  });

  it('makes quantities of integers', () => {
    expect(formatQuantity(quantityOfInteger(4096n, 'BinarySI'))).toBe('4Ki');
  });
});

it('tells quantities from other text', () => {
  expect(['10Mi', '', '10Mo'].map(isQuantity)).toEqual([true, false, false]);
});

function inNanos(value: bigint): ReturnType<typeof parseQuantity> {
  return parseQuantity(`${value}n`);
}

function nanos(): fc.Arbitrary<bigint> {
  return fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
}

function signOf(value: bigint): number {
  return value === 0n ? 0 : value < 0n ? -1 : 1;
}

function texts(): fc.Arbitrary<string> {
  const suffix = fc.constantFrom(
    '',
    'n',
    'u',
    'm',
    'k',
    'M',
    'G',
    'T',
    'P',
    'E',
    'Ki',
    'Mi',
    'Gi',
    'Ti',
    'Pi',
    'Ei',
    'e3',
    'E-4',
    'e20',
  );
  const number = fc.tuple(fc.constantFrom('', '-', '+'), fc.nat(), fc.option(fc.nat(), { nil: undefined }));
  return fc
    .tuple(number, suffix)
    .map(([[sign, whole, fraction], unit]) => `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${unit}`);
}
