import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compileExpression, INT, isCelError, toJson, type CelValue } from './index.ts';

describe('literals', () => {
  it.each([
    ['0x1F', 31],
    ['-0x10', -16],
    ['-9223372036854775808', -9223372036854775808n],
    ['18446744073709551615u', 18446744073709551615n],
    ['1.5e3', 1500],
    ['.5', 0.5],
    ['-2.5', -2.5],
    ['"a\\tb\\x41\\u00e9\\U0001F600\\101\\\\"', 'a\tbAé😀A\\'],
    [String.raw`r'a\tb'`, String.raw`a\tb`],
    ["'''a'\n\"b'''", 'a\'\n"b'],
    ['""', ''],
    ['"" + ""', ''],
    [String.raw`b'\xff\000é'`, Buffer.from([255, 0, 0xc3, 0xa9]).toString('base64')],
    [String.raw`rb"\x"`, Buffer.from(String.raw`\x`).toString('base64')],
    ['[1, 2, 3,]', [1, 2, 3]],
    ["{'a': 1, 'b': 2,}", { a: 1, b: 2 }],
    ['null', null],
    ['true // and a comment\n && !false', true],
  ])('%s has the value that is given', (source, value) => {
    expect(toJson(valueOf(source))).toEqual(value);
  });
});

describe('precedence', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['1 -1', 0],
    ['- -3', 3],
    ['!!true', true],
    ['false || true && false', false],
    ['true ? 1 : false ? 2 : 3', 1],
    ['1 < 2 == true', true],
    ['2 in [1, 2] && !(3 in [1, 2])', true],
    ['-[1, 2][1]', -2],
  ])('%s has the value that is given', (source, value) => {
    expect(toJson(valueOf(source))).toEqual(value);
  });
});

describe('syntax errors', () => {
  it.each([
    ['1 +', "1:4: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', "],
    ['(1', "1:3: Syntax error: mismatched input '<EOF>' expecting ')'"],
    ['[1, 2', "1:6: Syntax error: mismatched input '<EOF>' expecting ']'"],
    ['1 2', "1:3: Syntax error: mismatched input '2' expecting <EOF>"],
    ['a.in', "1:3: Syntax error: mismatched input 'in' expecting IDENTIFIER"],
    ['"abc', `1:1: Syntax error: token recognition error at: '"abc'`],
    ["'a\nb'", "1:1: Syntax error: token recognition error at: ''a'"],
    ['1 # 2', "1:3: Syntax error: token recognition error at: '#'"],
    [String.raw`"\q"`, '1:1: Syntax error: token recognition error at: '],
    ['9223372036854775808', '1:1: invalid int literal'],
    ['18446744073709551616u', '1:1: invalid uint literal'],
    ['1e999', '1:1: invalid double literal'],
    [String.raw`"\ud800"`, '1:1: invalid unicode code point'],
    [String.raw`b"\u0041"`, '1:1: invalid bytes literal'],
    ['package', '1:1: reserved identifier: package'],
    ['has(x)', '1:5: invalid argument to has() macro'],
    ['[1].all(x.y, true)', '1:10: argument must be a simple name'],
    ['[1].all(x, x, true)', '1:12: duplicate variable name: x'],
    ['[1].all(__result__, true)', '1:9: iteration variable overwrites accumulator variable'],
    [
      '{}.sortBy(x, x)',
      '1:1: sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    ],
  ])('%s is refused', (source, message) => {
    expect(messageOf(source)).toContain(`ERROR: <input>:${message}`);
  });

  it('shows the line and a caret below the place', () => {
    expect(messageOf("true &&\n  'é' == 's' + x")).toBe(
      [
        "ERROR: <input>:2:16: undeclared reference to 'x' (in container '')",
        " |   'é' == 's' + x",
        ' | ...．...........^',
      ].join('\n'),
    );
  });

  it('lists every error in the order of the text', () => {
    expect(
      messageOf('x + y')
        .split('\n')
        .filter((line) => line.startsWith('ERROR')),
    ).toEqual([
      "ERROR: <input>:1:1: undeclared reference to 'x' (in container '')",
      "ERROR: <input>:1:5: undeclared reference to 'y' (in container '')",
    ]);
  });
});

describe('limits', () => {
  it.each([
    ['parentheses', '('.repeat(300) + '1' + ')'.repeat(300)],
    ['sums', `1${'+1'.repeat(300)}`],
    ['selections', `x${'.y'.repeat(300)}`],
    ['lists', '['.repeat(300) + ']'.repeat(300)],
    ['conditionals', 'true ? 1 : '.repeat(300) + '1'],
  ])('too many nested %s are refused', (_, source) => {
    expect(messageOf(source)).toContain('expression recursion limit exceeded: 250');
  });

  it('a chain of && may be long', () => {
    expect(valueOf(`true${' && true'.repeat(5000)}`)).toBe(true);
  });

  it('a text that is too long is refused before it is read', () => {
    expect(messageOf(' '.repeat(100_001))).toContain(
      'expression code point size exceeds limit: size: 100001, limit 100000',
    );
  });
});

it('throws nothing but CelError, whatever the text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), tokens()), (source) => {
      expect(isValueOrCelError(source)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

function isValueOrCelError(source: string): boolean {
  try {
    compileExpression(source, { variables: { x: INT } }).evaluate({ x: 1 }, { maxCost: 10_000 });
    return true;
  } catch (error) {
    return isCelError(error);
  }
}

function valueOf(source: string): CelValue {
  return compileExpression(source, { variables: {} }).evaluate({});
}

function messageOf(source: string): string {
  try {
    compileExpression(source, { variables: {} });
  } catch (error) {
    if (isCelError(error)) return error.message;
    throw error;
  }
  return '';
}

function tokens(): fc.Arbitrary<string> {
  const words =
    "x 1 -1 2u 1.5 'a' \"b\" b'c' true null [ ] { } ( ) . ? : , + - * / % ! < == in && || all exists map filter has(x) .size() duration( timestamp( [?0] .?a optional.of( type( '%d'.format(";
  return fc.array(fc.constantFrom(...words.split(' ')), { maxLength: 12 }).map((parts) => parts.join(' '));
}
