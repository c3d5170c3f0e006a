import * as language from '@smalt/cel';
import type { Authorizer as CelAuthorizer } from '@smalt/cel';
import { describe, expect, it } from 'vitest';

import { AdmissionExpression, expressionAuthorizer, newBudget, type ExpressionInput } from './admission-expression.ts';

describe('variables', () => {
  const variables = [
    { name: 'size', expression: 'object.spec.size' },
    { name: 'double', expression: 'variables.size * 2' },
  ];

  it.each([
    ['variables.double == 6', true],
    ['[1, 2].exists(x, x + variables.size == 5)', true],
    ['"variables.size" == "variables" + ".size"', true],
    ["'variables.size'.size() == 14", true],
  ])('%s', (source, expected) => {
    expect(new AdmissionExpression(source, variables).evaluate(input())).toEqual({ kind: 'value', value: expected });
  });

  it('that fail are no harm to those who do not use them', () => {
    const broken = [{ name: 'broken', expression: 'object.nothing.here' }];

    expect(new AdmissionExpression('true', broken).evaluate(input())).toEqual({ kind: 'value', value: true });
    expect(new AdmissionExpression('variables.broken == 1', broken).evaluate(input())).toEqual({
      kind: 'error',
      message: "expression 'variables.broken == 1' resulted in error: no such key: nothing",
    });
  });
});

it('asks about the rights of the writer to the object of the write', () => {
  const asked: unknown[] = [];
  const authorizer = expressionAuthorizer(
    {
      authorize: (user, attributes) => {
        asked.push([user.name, attributes]);
        return { allowed: true, reason: '' };
      },
    },
    { name: 'jane', groups: [], extra: {} },
  );
  const source =
    'authorizer.requestResource.check("use").allowed() && authorizer.serviceAccount("ns", "bot").path("/x").check("get").allowed()';

  new AdmissionExpression(source).evaluate(input(authorizer));

  expect(asked).toMatchObject([
    ['jane', { verb: 'use', group: 'g', resource: 'things', namespace: 'ns', name: 'a', isResourceRequest: true }],
    ['system:serviceaccount:ns:bot', { verb: 'get', path: '/x', isResourceRequest: false }],
  ]);
});

it.each([
  ['object.x ==', 'bool', 'compilation failed: ERROR: <input>:1:12: Syntax error'],
  ['1', 'bool', 'must evaluate to bool but got int'],
  ['1', 'string', 'must evaluate to string but got int'],
] as const)('says what is wrong with %s as a %s', (source, type, problem) => {
  expect(new AdmissionExpression(source).problem(language, type)).toContain(problem);
});

it('accepts an expression whose type shows only when it is asked', () => {
  expect(new AdmissionExpression('object.spec.flag').problem(language, 'bool')).toBeUndefined();
});

function input(authorizer: CelAuthorizer = { authorize: () => ({ isAllowed: false, reason: '' }) }): ExpressionInput {
  return {
    object: { spec: { size: 3 } },
    oldObject: null,
    request: { resource: { group: 'g', version: 'v1', resource: 'things' }, namespace: 'ns', name: 'a' },
    params: null,
    namespaceObject: null,
    authorizer,
    language,
    budget: newBudget(language),
  };
}
