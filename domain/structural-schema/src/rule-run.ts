import { isCelError, type CostBudget } from '@smalt/cel';
import type { JsonValue } from '@smalt/json';
import { duplicate, forbidden, invalid, required, type FieldError, type Schema } from '@smalt/resource';

import { shownRule, type CompiledRule } from './compiled-rule.ts';
import type { Correlation } from './correlation.ts';
import { childPath, shownPath } from './field-path.ts';

const MAX_MESSAGE_BYTES = 5 * 1024;
const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** The value a rule is about, and the one it replaces. */
export interface RuleValues {
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
}

/** One pass over all rules of an object, which share a budget. */
export class RuleRun {
  readonly errors: FieldError[] = [];
  readonly #budget: CostBudget;
  readonly #correlation: Correlation | undefined;
  readonly #segments: (string | number)[] = [];
  #isSpent = false;

  constructor(budget: CostBudget, correlation: Correlation | undefined) {
    this.#budget = budget;
    this.#correlation = correlation;
  }

  /** Whether the budget is used up, so that no further rule is evaluated. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  enter(segment: string | number, check: () => void): void {
    if (this.#isSpent) return;
    this.#segments.push(segment);
    check();
    this.#segments.pop();
  }

  /** Refuses a value because its rules cannot be evaluated. */
  refuse(schema: Schema, path: string, problem: string): void {
    this.errors.push(invalid(shownPath(path), schema.type ?? '', problem));
  }

  evaluate(compiled: CompiledRule, schema: Schema, path: string, values: RuleValues): void {
    const { rule, expression } = compiled;
    if (compiled.problem !== undefined) this.refuse(schema, path, `rule compile error: ${compiled.problem}`);
    if (expression === undefined) return;
    if (compiled.usesOldSelf && values.old === undefined && rule.optionalOldSelf !== true) return;
    try {
      const result = expression.evaluate(variablesOf(compiled, values), { budget: this.#budget });
      if (result === true) return;
    } catch (error) {
      this.#fail(error, compiled, schema, path);
      return;
    }
    this.#report(compiled, schema, path, values);
  }

  #fail(error: unknown, { rule }: CompiledRule, schema: Schema, path: string): void {
    if (!isCelError(error)) throw error;
    const { message } = error;
    if (error.code === 'budget') {
      this.#isSpent = true;
      this.refuse(schema, path, OUT_OF_BUDGET);
    } else if (error.code === 'cost') {
      this.#isSpent = true;
      const end = 'no further validation rules will be run due to call cost exceeds limit for rule';
      this.refuse(schema, path, `'${message}': ${end}: ${shownRule(rule)}`);
    } else if (message.startsWith('no such overload')) {
      const end = 'call arguments did not match a supported operator, function or macro signature for rule';
      this.refuse(schema, path, `'${message}': ${end}: ${shownRule(rule)}`);
    } else {
      this.refuse(schema, path, `${message} evaluating rule: ${shownRule(rule)}`);
    }
  }

  #report(compiled: CompiledRule, schema: Schema, path: string, values: RuleValues): void {
    // What did not change is not held against the writer, unless the rule is about changes.
    if (!compiled.usesOldSelf && this.#isUnchanged()) return;
    const field = shownPath(compiled.fieldPath === '' ? path : joinPath(path, compiled.fieldPath));
    const message = this.#message(compiled, field, schema, values);
    if (message === undefined) return;
    const isCompound = schema.type === 'object' || schema.type === 'array';
    this.errors.push(errorFor(compiled, field, isCompound ? undefined : values.value, message));
  }

  // A message that cannot be made is no reason to hide that the rule failed: the plain one stands in for it.
  #message(compiled: CompiledRule, field: string, schema: Schema, values: RuleValues): string | undefined {
    const { rule, messageExpression } = compiled;
    const plain = (rule.message ?? '') === '' ? `failed rule: ${shownRule(rule)}` : shownRule(rule);
    if (messageExpression === undefined) return plain;
    try {
      const result = messageExpression.evaluate(variablesOf(compiled, values), { budget: this.#budget });
      const text = typeof result === 'string' ? result.trim() : '';
      return text === '' || text.includes('\n') || Buffer.byteLength(text) > MAX_MESSAGE_BYTES ? plain : text;
    } catch (error) {
      if (!isCelError(error)) throw error;
      if (error.code !== 'budget' && error.code !== 'cost') return plain;
      this.#isSpent = true;
      this.errors.push(
        invalid(field, schema.type ?? '', messageBudgetProblem(error.code, rule.messageExpression ?? '')),
      );
      return undefined;
    }
  }

  #isUnchanged(): boolean {
    let current = this.#correlation;
    let parent: Correlation | undefined;
    for (const segment of this.#segments) {
      if (current === undefined) break;
      // The version an object is written in is not seen here: both sides were converted to the same.
      if (parent === undefined && (segment === 'apiVersion' || segment === 'kind')) return false;
      parent = current;
      current = current.child(segment);
    }
    return (current ?? parent)?.isUnchanged() ?? false;
  }
}

function variablesOf(
  { rule }: CompiledRule,
  { value, old }: RuleValues,
): Readonly<Record<string, JsonValue | undefined>> {
  return rule.optionalOldSelf === true || old !== undefined ? { self: value, oldSelf: old } : { self: value };
}

function errorFor({ rule }: CompiledRule, field: string, value: JsonValue | undefined, message: string): FieldError {
  const reason = rule.reason ?? 'FieldValueInvalid';
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(field, message);
    case 'FieldValueRequired':
      return required(field, message);
    case 'FieldValueDuplicate':
      return duplicate(field, value);
    case 'FieldValueInvalid':
      return invalid(field, value, message);
  }
}

function messageBudgetProblem(code: 'budget' | 'cost', expression: string): string {
  return code === 'budget'
    ? 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run'
    : `no further validation rules will be run due to call cost exceeds limit for messageExpression: "${expression}"`;
}

function joinPath(path: string, below: string): string {
  return below.startsWith('[') ? `${path}${below}` : childPath(path, below);
}
