import { readFileSync } from 'node:fs';

import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import {
  celTypeOf,
  compileExpression,
  CostBudget,
  isCelError,
  toJson,
  type CelType,
  type SchemaLike,
} from './index.ts';

const cases = readCases();

describe('the rules of the corpus', () => {
  it.each(cases.flatMap((given) => given.valid.map((rule) => ({ name: given.name, rule, given }))))(
    'hold with $name: $rule',
    ({ given, rule }) => {
      expect(outcome(given, rule)).toEqual(given.isSkipped ? 'skipped' : true);
    },
  );

  it.each(
    cases.flatMap((given) => given.errors.map(([rule, message]) => ({ name: given.name, rule, message, given }))),
  )('fail with $name: $rule', ({ given, rule, message }) => {
    expect(outcome(given, rule)).toEqual(expect.stringContaining(message));
  });
});

it('holds all rules of the corpus', () => {
  expect(cases.reduce((count, { valid }) => count + valid.length, 0)).toBe(714);
  expect(cases.reduce((count, { errors }) => count + errors.length, 0)).toBe(76);
});

interface Case {
  readonly name: string;
  readonly schema: SchemaLike;
  readonly object: JsonValue;
  readonly oldObject: JsonValue;
  readonly isRoot: boolean;
  readonly isSkipped: boolean;
  readonly cost: number;
  readonly valid: readonly string[];
  readonly errors: readonly (readonly [string, string])[];
}

function outcome(given: Case, rule: string): unknown {
  const type = celTypeOf(given.schema, { isRoot: given.isRoot });
  try {
    return evaluate(given, rule, type ?? { kind: 'dyn' });
  } catch (error) {
    if (!isCelError(error)) throw error;
    return describeError(error.code, error.message, rule);
  }
}

// The corpus has the words that the customer of this package puts around its messages.
function describeError(code: string, message: string, rule: string): string {
  if (code === 'compile') return `rule compile error: compilation failed: ${message}`;
  if (code === 'program') return `rule compile error: ${message}`;
  return `${message} evaluating rule: ${rule}`;
}

function evaluate(given: Case, rule: string, type: CelType): JsonValue {
  const expression = compileExpression(rule, { variables: { self: type, oldSelf: type } });
  if (expression.usesVariable('oldSelf') && given.oldObject === null) return 'skipped';
  const budget = new CostBudget();
  const result = expression.evaluate({ self: given.object, oldSelf: given.oldObject }, { budget });
  if (given.cost > 0) expect(budget.spent).toBe(given.cost);
  return toJson(result);
}

function readCases(): readonly Case[] {
  const text = readFileSync(new URL('fixtures/cel.jsonl', import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => readCase(objectOf(objectOf(parseJson(line))['case'])));
}

function readCase(given: JsonObject): Case {
  const schema = objectOf(given['schema']) as SchemaLike;
  return {
    name: textOf(given['name']),
    schema,
    object: inSinglePrecision(given['obj'] ?? null, schema),
    oldObject: given['oldObj'] ?? null,
    isRoot: given['isRoot'] === true,
    isSkipped: given['expectSkipped'] === true,
    cost: Number(given['expectedCost']),
    valid: Array.isArray(given['valid']) ? given['valid'].map(String) : [],
    errors: Object.entries(given['errors'] ?? {}).map(([rule, message]) => [rule, String(message)]),
  };
}

// The corpus was written from 32-bit floats, which lost their last digits in its JSON.
function inSinglePrecision(value: JsonValue, schema: SchemaLike): JsonValue {
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, field]): [string, JsonValue] => {
    const isSingle = schema.properties?.[name]?.format === 'float' && typeof field === 'number';
    return [name, isSingle ? Math.fround(field) : field];
  });
  return Object.fromEntries(entries);
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new Error('the fixture holds a string here');
  return value;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) throw new Error('the fixture holds an object here');
  return value;
}
