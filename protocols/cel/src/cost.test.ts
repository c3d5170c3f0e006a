import { readFileSync } from 'node:fs';

import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { celTypeOf, compileExpression, CostBudget, estimateCost, type CelType } from './index.ts';

const cases = readCases();

describe.each(cases.filter(({ kind }) => kind === 'runtime'))(
  'with the values of "$name"',
  ({ type, object, costs }) => {
    it.each(costs)('%s costs %d', (rule, cost) => {
      const budget = new CostBudget();

      compileExpression(rule, { variables: { self: type, oldSelf: type } }).evaluate({ self: object }, { budget });

      expect(budget.spent).toBe(cost);
    });
  },
);

describe.each(cases.filter(({ kind }) => kind === 'estimated'))('with the schema of "$name"', ({ type, costs }) => {
  it.each(costs)('%s is estimated at %d', (rule, cost) => {
    const expression = compileExpression(rule, { variables: { self: type, oldSelf: type } });

    expect(estimateCost(expression).max).toBe(cost);
  });
});

describe.each(cases.filter(({ kind }) => kind === 'above'))('with the schema of "$name"', ({ type, costs }) => {
  it.each(costs)('%s is estimated above %d', (rule, cost) => {
    const expression = compileExpression(rule, { variables: { self: type, oldSelf: type } });

    expect(estimateCost(expression).max).toBeGreaterThanOrEqual(cost);
  });
});

interface Case {
  readonly kind: string;
  readonly name: string;
  readonly type: CelType;
  readonly object: JsonValue;
  readonly costs: readonly (readonly [string, number])[];
}

function readCases(): readonly Case[] {
  const text = readFileSync(new URL('fixtures/costs.jsonl', import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => readCase(objectOf(parseJson(line))));
}

function readCase(given: JsonObject): Case {
  const isRoot = given['kind'] === 'runtime';
  const type = celTypeOf(objectOf(given['schema']), { isRoot });
  if (type === undefined) throw new Error('the fixture has schemas that expressions see');
  return {
    kind: textOf(given['kind']),
    name: textOf(given['name']),
    type,
    object: given['obj'] ?? null,
    costs: Object.entries(objectOf(given['costs'])).map(([rule, cost]) => [rule, Number(cost)]),
  };
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new Error('the fixture holds a string here');
  return value;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) throw new Error('the fixture holds an object here');
  return value;
}
