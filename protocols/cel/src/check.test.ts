import { describe, expect, it } from 'vitest';

import {
  BOOL,
  celTypeOf,
  compileExpression,
  DYN,
  formatType,
  INT,
  isCelError,
  listOf,
  mapOf,
  optionalOf,
  STRING,
  type CelType,
} from './index.ts';

const variables: Readonly<Record<string, CelType>> = {
  number: INT,
  text: STRING,
  numbers: listOf(INT),
  labels: mapOf(STRING, STRING),
  anything: DYN,
  maybe: optionalOf(STRING),
  object: objectType(),
};

describe('types', () => {
  it.each([
    ['number + 1', 'int'],
    ['[1, 2]', 'list(int)'],
    ['[]', 'list(dyn)'],
    ['[[], [1]]', 'list(list(int))'],
    ["{'a': [1.5]}", 'map(string, list(double))'],
    ['numbers.map(n, string(n))', 'list(string)'],
    ['numbers.filter(n, n > 1)', 'list(int)'],
    ['labels.transformMap(k, v, size(v))', 'map(string, int)'],
    ['labels.transformMapEntry(k, v, {v: k})', 'map(string, string)'],
    ['anything.field', 'dyn'],
    ['anything + 1', 'int'],
    ['maybe.orValue("")', 'string'],
    ['maybe.optMap(m, size(m))', 'optional_type(int)'],
    ['maybe.optFlatMap(m, optional.of(m.size()))', 'optional_type(int)'],
    ['labels.?x', 'optional_type(string)'],
    ['labels[?"x"]', 'optional_type(string)'],
    ['optional.of(labels).x', 'optional_type(string)'],
    ['type(1)', 'type(int)'],
    ['int', 'type(int)'],
    ['timestamp("2020-01-01T00:00:00Z") - duration("1s")', 'timestamp'],
    ['true ? 1 : 2', 'int'],
    ['object.spec.names[0]', 'string'],
    ['object.__namespace__', 'string'],
    ['object.namespace', 'string'],
    ['quantity("1")', 'kubernetes.Quantity'],
    ['ip("1.2.3.4")', 'net.IP'],
    ['[3, 1].sortBy(x, -x)', 'list(int)'],
  ])('%s is of type %s', (source, type) => {
    expect(formatType(compileExpression(source, { variables }).resultType)).toBe(type);
  });
});

describe('type errors', () => {
  it.each([
    ['1 + "a"', "1:3: found no matching overload for '_+_' applied to '(int, string)'"],
    ['unknown', "1:1: undeclared reference to 'unknown' (in container '')"],
    ['unknown()', "1:8: undeclared reference to 'unknown' (in container '')"],
    ['text.unknown()', "1:13: undeclared reference to 'unknown' (in container '')"],
    ['object.missing', "1:7: undefined field 'missing'"],
    ['number.field', "1:7: type 'int' does not support field selection"],
    ['quantity("1").field', "1:14: undefined field 'field'"],
    ['text.size(1)', "1:10: found no matching overload for 'size' applied to 'string.(int)'"],
    ['number && true', "1:1: expected type 'bool' but found 'int'"],
    [
      'number.all(x, true)',
      "1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
    ['numbers.all(x, 1)', "1:16: expected type 'bool' but found 'int'"],
    ['[1, "a"]', "1:5: expected type 'int' but found 'string'"],
    ['{"a": 1, "b": true}', "1:15: expected type 'int' but found 'bool'"],
    ['{"a": 1, 2: 1}', "1:10: expected type 'string' but found 'int'"],
    ['[?1]', "1:3: expected type 'optional_type(int)' but found 'int'"],
    ['true ? 1 : "a"', "1:6: found no matching overload for '_?_:_' applied to '(bool, int, string)'"],
    ['object == text', "1:8: found no matching overload for '_==_' applied to '(selfType1, string)'"],
    ['Pod{name: "x"}', "1:4: undeclared reference to 'Pod' (in container '')"],
    ['duration("x")', '1:10: invalid duration argument'],
    ['timestamp("x")', '1:11: invalid timestamp argument'],
    ['text.matches("(")', '1:14: invalid matches argument'],
    ['"%d %d".format([1])', '1:15: index 1 out of range'],
    ['"%d".format([1, 2])', '1:12: too many arguments supplied to string.format (expected 1, got 2)'],
    ['"%q".format([1])', '1:12: could not parse formatting clause: unrecognized formatting clause "q"'],
  ])('%s is refused', (source, message) => {
    expect(messageOf(source)).toContain(`ERROR: <input>:${message}`);
  });

  it('lists of mixed types may be formatted', () => {
    expect(messageOf('"%d %s".format([1, "a"])')).toBe('');
  });

  it('names the type that was asked for when the result has another', () => {
    expect(() => compileExpression('1', { variables, result: BOOL })).toThrow(
      expect.objectContaining({ code: 'result', message: 'cel expression must evaluate to a bool' }),
    );
  });

  it('says that a constant cannot be computed', () => {
    expect(() => compileExpression('int("x") == 1', { variables })).toThrow(
      expect.objectContaining({
        code: 'program',
        message: "program instantiation failed: type conversion error from 'string' to 'int'",
      }),
    );
  });
});

it('tells which variables an expression uses', () => {
  const expression = compileExpression('numbers.all(text, text < number)', { variables });

  expect(['numbers', 'number', 'labels'].map((name) => expression.usesVariable(name))).toEqual([true, true, false]);
});

function messageOf(source: string): string {
  try {
    compileExpression(source, { variables });
  } catch (error) {
    if (isCelError(error)) return error.message;
    throw error;
  }
  return '';
}

function objectType(): CelType {
  const names = { type: 'array', items: { type: 'string' } };
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { names } }, namespace: { type: 'string' } },
  };
  const type = celTypeOf(schema, { isRoot: false });
  if (type === undefined) throw new Error('an object is always seen');
  return type;
}
