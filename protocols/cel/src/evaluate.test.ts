import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  AUTHORIZER,
  BOOL,
  CelError,
  compileExpression,
  CostBudget,
  DYN,
  INT,
  listOf,
  optionalOf,
  STRING,
  toJson,
  type AuthorizerRequest,
} from './index.ts';

describe('values', () => {
  it.each([
    ['9223372036854775807 - 1 == 9223372036854775806', true],
    ['-9223372036854775808 / 1', -9223372036854775808n],
    ['-7 / 2', -3],
    ['-7 % 3', -1],
    ['18446744073709551615u == 18446744073709551615u', true],
    ['1u + 2u', 3],
    ['dyn(1) == 1.0 && 1u == dyn(1) && dyn(2) != dyn("2")', true],
    ['1 < 1.5 && 2u > 1', true],
    ['double("NaN") == double("NaN")', false],
    ['string(1e7) + string(0.00001) + string(100000.5)', '1e+071e-05100000.5'],
    ['int(-1.9)', -1],
    ['uint("42")', 42],
    ['bool("t")', true],
    ['string(b"\\xc3\\xa9")', 'é'],
    ['bytes("é").size()', 2],
    ['"é😀".size()', 2],
    ['"a😀b".substring(1, 2)', '😀'],
    ['"a😀b".indexOf("b")', 2],
    ['"\\uFFFF" < "😀"', true],
    ['"abc".replace("", "-")', '-a-b-c-'],
    ['"aXbXc".split("X", 2)', ['a', 'bXc']],
    ['"  a ".trim()', 'a'],
    ['strings.quote("a\\"\\n")', String.raw`"a\"\n"`],
    ['"%s %.2f %x %X %o %b %%".format(["a", 1234.5, 255, "hi", 8, true])', 'a 1,234.50 ff 6869 10 1 %'],
    ['"%s".format([{"b": [1.5, "x"], "a": null}])', '{"a":null, "b":[1.500000, "x"]}'],
    ['duration("1h30m").getMinutes()', 90],
    ['string(duration("-1.5s"))', '-1.5s'],
    ['timestamp("2024-02-29T12:00:00Z").getDayOfYear()', 59],
    ['timestamp("2024-07-01T12:00:00Z").getHours("America/New_York")', 8],
    ['timestamp("2024-07-01T12:00:00Z").getHours("-02:30")', 9],
    ['string(timestamp("2024-01-01T00:00:00+01:00") + duration("1ns"))', '2024-01-01T00:00:00.000000001+01:00'],
    ['timestamp(0) < timestamp("1970-01-01T00:00:01Z")', true],
    ['[1, 2] + [3] == [1, 2, 3]', true],
    ['{1: "a"}[dyn(1u)]', 'a'],
    ['{"a": 1}.all(k, v, v == 1 && k == "a")', true],
    ['[3, 4].transformList(i, v, i + v)', [3, 5]],
    ['[1, 2, 2].exists_one(x, x == 2)', false],
    ['[[1, 2], [3]].map(l, l.map(x, x * 2))', [[2, 4], [6]]],
    ['[1, 2, 3].filter(x, x > 1).map(x, x > 2, x)', [3]],
    ['type(1) == int && type([]) == list && type(type(1)) == type', true],
    ['optional.none().hasValue()', false],
    ['optional.of(1).or(optional.of(1 / 0)).value()', 1],
    ['{?"a": optional.none(), ?"b": optional.of(1)}', { b: 1 }],
    ['[?optional.none(), 2]', [2]],
    ['{"a": {"b": 1}}.?a.?b.orValue(0)', 1],
    ['{"a": {"b": 1}}.?x.b.orValue(5)', 5],
    ['"2001:DB8:0:0::1".lowerAscii() != string(ip("2001:DB8:0:0::1"))', true],
    ['string(cidr("10.1.2.3/8").masked())', '10.0.0.0/8'],
    ['semver("1.2.3-rc.1").isLessThan(semver("1.2.3-rc.2"))', true],
    ['isSemver("v1.2", true) && !isSemver("v1.2")', true],
    ['url("https://u:p@[::1]:80/a b?x=1&x=2#f").getQuery().x', ['1', '2']],
    ['quantity("1.5Gi").compareTo(quantity("1536Mi"))', 0],
    ['"abcabc".findAll("b.?")', ['bc', 'bc']],
  ])('%s has the value that is given', (source, value) => {
    expect(toJson(compileExpression(source, { variables: {} }).evaluate({}))).toEqual(value);
  });
});

describe('failures', () => {
  it.each([
    ['9223372036854775807 + x', 'integer overflow'],
    ['-9223372036854775808 * -x', 'integer overflow'],
    ['1u - 2u', 'unsigned integer overflow'],
    ['uint(-x)', 'unsigned integer overflow'],
    ['int(1e30 * double(x))', 'integer overflow'],
    ['x / 0', 'division by zero'],
    ['x % 0', 'modulus by zero'],
    ['[1][x]', 'index out of bounds: 1'],
    ['[1][-x]', 'index out of bounds: -1'],
    ['{"a": 1}["b"]', 'no such key: b'],
    ['{"a": x}.b', 'no such key: b'],
    ['{"a": 1, "a": x}', 'insert failed: key a already exists'],
    ['dyn("a") + dyn(x)', 'no such overload'],
    ['dyn(x).matches("a")', 'no such overload: matches(int, string)'],
    ['"abc".substring(x, 9)', 'index out of range: 9'],
    ['"abc".charAt(-x)', 'index out of range: -1'],
    ['string(b"\\xff") == "a"', 'program instantiation failed: invalid UTF-8 in bytes, cannot convert to string'],
    ['optional.none().value()', 'optional.none() dereference'],
    ['timestamp("9999-12-31T23:59:59Z") + duration("1s")', 'timestamp overflow'],
    ['timestamp("2024-01-01T00:00:00Z").getHours("Nowhere/Land")', 'unknown time zone Nowhere/Land'],
    [
      'ip("1.2.3")',
      'IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short',
    ],
    ['semver("1.2")', 'No Major.Minor.Patch elements found'],
    [
      'url("a:b:c") == url("relative")',
      'URL parse error during conversion from string: parse "relative": invalid URI for request',
    ],
    ['"a".find("(" + "a")', 'Illegal regex: error parsing regexp: missing closing ): `(a`'],
    ['int("9223372036854775808" + string(x))', "type conversion error from 'string' to 'int'"],
    ['lists.range(10000000)', 'lists.range exceeds the size that an evaluation may build'],
  ])('%s fails with %s', (source, message) => {
    expect(failureOf(source)).toEqual({ message, code: expect.stringMatching(/^(?:evaluate|program)$/) });
  });

  it.each([
    ['1 / 0 == 1 || true', true],
    ['true || 1 / 0 == 1', true],
    ['false && 1 / 0 == 1', false],
    ['1 / 0 == 1 && false', false],
    ['[0, 1].exists(x, 1 / x == 1)', true],
    ['[0, 2].all(x, 1 / x == 1)', false],
  ])('%s is %j: the other side decides', (source, value) => {
    expect(compileExpression(source, { variables: {} }).evaluate({})).toBe(value);
  });

  it('a failure that nothing makes up for is the result', () => {
    expect(() => compileExpression('[0, 2].exists(x, 1 / x == 1)', { variables: {} }).evaluate({})).toThrow(
      'division by zero',
    );
  });
});

describe('long texts', () => {
  it.each([
    ['duration(s) == duration("1s")', '1'.repeat(1_000_000)],
    ['s.trim() == ""', `a${' '.repeat(1_000_000)}a`],
    ['isSemver(s)', `${'1'.repeat(1_000_000)}.1.1`],
    ['isURL(s)', `a:${':'.repeat(1_000_000)}`],
    ['format.dns1123Subdomain().validate(s).hasValue() ? isIP(s) : true', `${'a.'.repeat(500_000)}!`],
    ['s.matches("^(a+)+$")', `${'a'.repeat(100_000)}!`],
    ['int(s) == 1', '1'.repeat(1_000_000)],
  ])('%s does not take long', (source, s) => {
    const expression = compileExpression(source, { variables: { s: STRING } });
    const start = performance.now();

    errorOf(() => expression.evaluate({ s }, { maxCost: Number.MAX_SAFE_INTEGER }));

    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe('variables', () => {
  it('an optional variable may be absent', () => {
    const expression = compileExpression('old.hasValue() ? old.value() + 1 : 0', {
      variables: { old: optionalOf(INT) },
    });

    expect([expression.evaluate({ old: undefined }), expression.evaluate({ old: 4 })]).toEqual([0n, 5n]);
  });

  it('a variable that was not handed in is a failure, not a crash', () => {
    expect(() => compileExpression('x == 1', { variables: { x: INT } }).evaluate({})).toThrow(
      'no such attribute(s): x',
    );
  });

  it('names of the language itself are ordinary keys', () => {
    const expression = compileExpression('has(x.constructor) || "toString" in x || x.?valueOf.hasValue()', {
      variables: { x: DYN },
    });

    expect(expression.evaluate({ x: { a: 1 } })).toBe(false);
  });

  it('large integers arrive and leave unchanged', () => {
    const expression = compileExpression('x - 1', { variables: { x: INT } });

    expect(toJson(expression.evaluate({ x: 9223372036854775807n }))).toBe(9223372036854775806n);
  });

  it('the same expression can be evaluated again and again', () => {
    const expression = compileExpression('l.map(x, [x].map(y, x + y))', { variables: { l: listOf(INT) } });

    const results = [[1, 2], [3], [1, 2]].map((l) => toJson(expression.evaluate({ l })));

    expect(results).toEqual([[[2], [4]], [[6]], [[2], [4]]]);
  });
});

describe('the authorizer', () => {
  it('is asked with what the expression collected', () => {
    const requests: AuthorizerRequest[] = [];
    const authorizer = {
      authorize: (request: AuthorizerRequest) => {
        requests.push(request);
        return { isAllowed: request.verb === 'get', reason: 'because' };
      },
    };
    const source = `
      authorizer.group('apps').resource('deployments').subresource('status').namespace('a').name('b').check('get').allowed()
      && !authorizer.serviceAccount('ns', 'sa').path('/healthz').check('put').allowed()
      && authorizer.path('/x').check('put').reason() == 'because'`;

    const result = compileExpression(source, { variables: { authorizer: AUTHORIZER } }).evaluate(
      {},
      { authorizer, maxCost: 2_000_000 },
    );

    expect(result).toBe(true);
    expect(requests).toEqual([
      { verb: 'get', group: 'apps', resource: 'deployments', subresource: 'status', namespace: 'a', name: 'b' },
      { verb: 'put', path: '/healthz', serviceAccount: { namespace: 'ns', name: 'sa' } },
      { verb: 'put', path: '/x' },
    ]);
  });
});

describe('cost', () => {
  const squares = compileExpression('l.all(x, l.all(y, x + y >= 0))', { variables: { l: listOf(INT) }, result: BOOL });

  it('one evaluation is stopped at its limit', () => {
    const l = Array.from({ length: 1000 }, (_, index) => index);

    expect(() => squares.evaluate({ l })).toThrow(
      expect.objectContaining({ code: 'cost', message: 'operation cancelled: actual cost limit exceeded' }),
    );
  });

  it('a budget is shared by evaluations, and says when it is spent', () => {
    const budget = new CostBudget(1000);
    const evaluate = (): unknown => squares.evaluate({ l: [1, 2, 3, 4] }, { budget });

    evaluate();
    const { spent } = budget;
    for (let left = budget.remaining; left >= spent; left -= spent) evaluate();

    expect(evaluate).toThrow(
      expect.objectContaining({
        code: 'budget',
        message: 'validation failed due to running out of cost budget, no further validation rules will be run',
      }),
    );
    expect(budget.remaining).toBe(-1);
  });

  it('loops that cost nothing end all the same', () => {
    const l = Array.from({ length: 5000 }, () => 1);
    const expression = compileExpression('l.exists_one(a, l.exists_one(b, false))', { variables: { l: listOf(INT) } });

    expect(() => expression.evaluate({ l }, { maxCost: Number.MAX_SAFE_INTEGER })).toThrow(
      'actual cost limit exceeded',
    );
  });

  it('whatever is computed, it ends within the limit or says so', () => {
    fc.assert(
      fc.property(expressions(), fc.array(fc.integer(), { maxLength: 20 }), (source, l) => {
        const budget = new CostBudget(5000);
        const run = (): unknown =>
          compileExpression(source, { variables: { l: listOf(INT) } }).evaluate({ l }, { budget, maxCost: 1000 });

        expect(errorOf(run) ?? new CelError('cost', 'none')).toBeInstanceOf(CelError);
        expect(budget.spent).toBeLessThan(100_000);
      }),
    );
  });
});

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

function failureOf(source: string): { readonly code: string; readonly message: string } {
  try {
    compileExpression(source, { variables: { x: INT } }).evaluate({ x: 1 });
  } catch (error) {
    if (error instanceof CelError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('it did not fail');
}

function expressions(): fc.Arbitrary<string> {
  const { node } = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('l', '[1, 2, 3]', 'l.map(x, x)', '[l.size()]'),
      fc.tuple(tie('node'), tie('node')).map(([left, right]) => `(${left} + ${right})`),
      fc.tuple(tie('node'), tie('node')).map(([left, right]) => `${left}.filter(x, ${right}.exists(y, y == x))`),
      tie('node').map((inner) => `${inner}.map(x, ${inner}.size() + x)`),
      tie('node').map((inner) => `${inner}.sortBy(x, -x).distinct()`),
    ),
  }));
  return node;
}
