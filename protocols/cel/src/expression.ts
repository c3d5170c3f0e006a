import type { JsonValue } from '@smalt/json';

import { CelAuthorizer, type Authorizer } from './authorizer.ts';
import { CelError } from './cel-error.ts';
import { formatType, type CelType } from './cel-type.ts';
import { CelFailure, type CelOutcome, type CelValue } from './cel-value.ts';
import { checkLiterals } from './check-literals.ts';
import { check, type CheckedTree } from './check.ts';
import { compileProgram } from './compile-program.ts';
import { MAX_CALL_COST, type CostBudget } from './cost-budget.ts';
import type { Frame, Step } from './frame.ts';
import { IssueList } from './issue-list.ts';
import { parse } from './parse.ts';

export interface CompileOptions {
  /** The types of the variables that the expression may name. */
  readonly variables: Readonly<Record<string, CelType>>;
  /** The type that the result must have. */
  readonly result?: CelType;
}

export interface EvaluateOptions {
  /** What is charged for the evaluation, beside the limit of each single one. */
  readonly budget?: CostBudget;
  /** Answers the variable `authorizer`. */
  readonly authorizer?: Authorizer;
  /** The most that this evaluation may cost. */
  readonly maxCost?: number;
}

/** A compiled expression. It can be evaluated any number of times. */
export interface Expression {
  readonly source: string;
  readonly resultType: CelType;
  /** What the checker knows about it, for those that look into it. */
  readonly tree: CheckedTree;
  readonly variables: Readonly<Record<string, CelType>>;
  /** Whether the expression mentions a variable. */
  usesVariable(name: string): boolean;
  /** Computes the result from JSON of the declared types; an optional variable may be undefined. */
  evaluate(variables: Readonly<Record<string, JsonValue | undefined>>, options?: EvaluateOptions): CelValue;
}

/** Compiles an expression. Throws a CelError that lists everything that is wrong with it. */
export function compileExpression(source: string, options: CompileOptions): Expression {
  const issues = new IssueList(source);
  const tree = check(parse(source), options.variables, issues);
  if (issues.isEmpty) checkLiterals(tree, issues);
  if (!issues.isEmpty) throw issues.toError();
  const resultType = tree.types.get(tree.root) ?? { kind: 'dyn' };
  if (options.result !== undefined && formatType(options.result) !== formatType(resultType)) {
    throw new CelError('result', `cel expression must evaluate to a ${formatType(options.result)}`);
  }
  const program = compileProgram(tree, options.variables);
  const used = new Set(tree.names.values());
  return {
    source,
    resultType,
    tree,
    variables: options.variables,
    usesVariable: (name) => used.has(name),
    evaluate: (variables, evaluation = {}) => evaluate(program, options.variables, variables, evaluation),
  };
}

function evaluate(
  program: Step,
  types: Readonly<Record<string, CelType>>,
  inputs: Readonly<Record<string, JsonValue | undefined>>,
  options: EvaluateOptions,
): CelValue {
  // Slots are filled as they are used; most evaluations use few of them.
  const slots: (CelOutcome | undefined)[] = [];
  if (options.authorizer !== undefined) {
    const slot = Object.keys(types).indexOf('authorizer');
    if (slot !== -1) slots[slot] = new CelAuthorizer(options.authorizer, {});
  }
  const frame: Frame = { slots, inputs, limit: options.maxCost ?? MAX_CALL_COST, cost: 0, iterations: 0 };
  const result = run(program, frame, options.budget);
  if (result instanceof CelFailure) throw new CelError('evaluate', result.message);
  return result;
}

function run(program: Step, frame: Frame, budget: CostBudget | undefined): CelOutcome {
  if (budget === undefined) return program(frame);
  let result: CelOutcome;
  try {
    result = program(frame);
  } catch (error) {
    // What an evaluation had cost before it was stopped counts too.
    budget.spend(frame.cost);
    throw error;
  }
  budget.spend(frame.cost);
  return result;
}
