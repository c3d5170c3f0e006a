import { BOOL, compileExpression, isCelError, optionalOf, STRING, type CelType, type Expression } from '@smalt/cel';
import type { Schema, ValidationRule } from '@smalt/resource';

import { findSchemaField } from './find-schema-field.ts';

/** A rule made ready for work, or why it cannot be. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly expression: Expression | undefined;
  /** Why the rule cannot be compiled. */
  readonly problem: string | undefined;
  readonly usesOldSelf: boolean;
  readonly messageExpression: Expression | undefined;
  readonly messageProblem: string | undefined;
  /** Where in the value the error is to be told; empty for the value itself. */
  readonly fieldPath: string;
}

/** Compiles one rule of a schema for values of a type. */
export function compileRule(rule: ValidationRule, schema: Schema, self: CelType): CompiledRule {
  const oldSelf = rule.optionalOldSelf === true ? optionalOf(self) : self;
  const variables = { self, oldSelf };
  const main = compile(rule.rule, variables, BOOL);
  const hasMessage = main.expression !== undefined && (rule.messageExpression ?? '') !== '';
  const message = hasMessage ? compile(rule.messageExpression ?? '', variables, STRING) : undefined;
  return {
    rule,
    expression: main.expression,
    problem: main.problem,
    usesOldSelf: main.expression?.usesVariable('oldSelf') ?? false,
    messageExpression: message?.expression,
    messageProblem: messageProblemOf(message),
    fieldPath: fieldPathOf(rule, schema),
  };
}

/** What a person is told about a rule: its message, or else the rule itself. */
export function shownRule(rule: ValidationRule): string {
  return (rule.message === undefined || rule.message === '' ? rule.rule : rule.message).trim();
}

interface Compiled {
  readonly expression?: Expression;
  readonly problem?: string;
}

function compile(source: string, variables: Readonly<Record<string, CelType>>, result: CelType): Compiled {
  if (source.trim() === '') return {};
  try {
    return { expression: compileExpression(source, { variables, result }) };
  } catch (error) {
    if (!isCelError(error)) throw error;
    return { problem: error.issues.length > 0 ? `compilation failed: ${error.message}` : error.message };
  }
}

function messageProblemOf(message: Compiled | undefined): string | undefined {
  return message?.problem === undefined
    ? undefined
    : `messageExpression ${message.problem.replace(/^cel expression /, '')}`;
}

function fieldPathOf(rule: ValidationRule, schema: Schema): string {
  if (rule.fieldPath === undefined || rule.fieldPath === '') return '';
  const found = findSchemaField(rule.fieldPath, schema, { allowsBrackets: true });
  return found.kind === 'found' ? found.path : '';
}
