import { estimateCost, maxCardinality, type Expression } from '@smalt/cel';
import {
  forbidden,
  goStructJson,
  internalError,
  invalid,
  type FieldError,
  type Schema,
  type ValidationRule,
} from '@smalt/resource';

import { compileRule, type CompiledRule } from './compiled-rule.ts';
import { costProblem } from './cost-problem.ts';
import { MAX_RULE_COST, type RuleCosts } from './rule-costs.ts';
import type { SchemaPlace } from './schema-standards.ts';

/** What is wrong with the rules of a schema when they are compiled, and what they would cost. */
export function checkRuleExpressions(schema: Schema, place: SchemaPlace, costs: RuleCosts): FieldError[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return [];
  const path = `${place.path}.x-kubernetes-validations`;
  const type = costs.type();
  if (type === undefined) {
    const detail = 'failed to construct type information for x-kubernetes-validations rules';
    const cause = 'unable to convert structural schema to CEL declarations';
    return [internalError(path, `internal error: ${detail}: ${cause}`)];
  }
  const cardinality = costs.cardinality ?? maxCardinality(type);
  return rules.flatMap((rule, index) => {
    const compiled = compileRule(rule, schema, type);
    const field = `${path}[${index}]`;
    return [
      ...checkCost(compiled.expression, cardinality, { field: `${field}.rule`, name: 'estimated rule cost' }, costs),
      ...checkCompiled(compiled, field),
      ...checkCost(compiled.messageExpression, 1, messageCost(field), costs),
      ...checkOldSelf(compiled, place, field),
    ];
  });
}

function messageCost(field: string): { readonly field: string; readonly name: string } {
  return { field: `${field}.messageExpression`, name: 'estimated messageExpression cost' };
}

function checkCost(
  expression: Expression | undefined,
  times: number,
  target: { readonly field: string; readonly name: string },
  costs: RuleCosts,
): FieldError[] {
  if (expression === undefined) return [];
  const cost = estimateCost(expression).max * times;
  costs.total.add(target.field, cost);
  if (costs.isStored || cost <= MAX_RULE_COST) return [];
  return [forbidden(target.field, costProblem(target.name, cost, MAX_RULE_COST))];
}

function checkCompiled({ rule, problem, messageProblem }: CompiledRule, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (problem !== undefined) errors.push(invalidRule(`${field}.rule`, rule, problem));
  if (messageProblem !== undefined) errors.push(invalidRule(`${field}.messageExpression`, rule, messageProblem));
  return errors;
}

// Kubernetes shows a rule as it holds it: with names of its own, and with all that is left out.
function invalidRule(field: string, rule: ValidationRule, detail: string): FieldError {
  const shown = {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
  return { ...invalid(field, { ...rule }, detail), shownValue: goStructJson(shown) };
}

function checkOldSelf(compiled: CompiledRule, place: SchemaPlace, field: string): FieldError[] {
  const { rule } = compiled;
  if (!compiled.usesOldSelf) {
    if (rule.optionalOldSelf === undefined) return [];
    const detail = 'may not be set if oldSelf is not used in rule';
    return [invalid(`${field}.optionalOldSelf`, rule.optionalOldSelf, detail)];
  }
  if (place.uncorrelated === undefined) return [];
  const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelated}`;
  return [invalid(`${field}.rule`, rule.rule, detail)];
}
