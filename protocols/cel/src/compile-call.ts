import { callCost, type CallCost } from './call-cost.ts';
import { ValueList } from './built-values.ts';
import { CelError } from './cel-error.ts';
import { CelFailure, CelOptional, type CelOutcome, type CelValue } from './cel-value.ts';
import { charge, type Frame, type Step } from './frame.ts';
import { BINARY_OPERATORS } from './operator-library.ts';
import { isOfType, noSuchOverload, type Overload } from './overload.ts';
import { compilePattern, type RegularExpression } from './regular-expression.ts';

/** A call whose arguments are compiled. */
export interface CompiledCall {
  readonly name: string;
  readonly overloads: readonly Overload[];
  readonly args: readonly Step[];
  /** The arguments that never change. */
  readonly constants: readonly (CelValue | undefined)[];
}

/** Compiles a call of a function that evaluates all of its arguments. */
export function compileCall(call: CompiledCall): Step {
  const [first, second] = call.args;
  const only = call.overloads.length === 1 ? call.overloads[0] : undefined;
  const cost = callCost(call.name, only?.id);
  const operate = BINARY_OPERATORS.get(call.name);
  if (operate !== undefined && first !== undefined && second !== undefined) {
    return typeof cost === 'number'
      ? binaryStep(first, second, operate, cost)
      : costedBinaryStep(first, second, operate, cost);
  }
  return generalStep(call.args, patternImplementation(call) ?? implementationOf(call), cost);
}

type Operate = (left: CelValue, right: CelValue) => CelOutcome;

function binaryStep(first: Step, second: Step, operate: Operate, cost: number): Step {
  return (frame) => {
    const left = first(frame);
    const right = second(frame);
    charge(frame, cost);
    if (left instanceof CelFailure) return left;
    return right instanceof CelFailure ? right : operate(left, right);
  };
}

function costedBinaryStep(first: Step, second: Step, operate: Operate, cost: Exclude<CallCost, number>): Step {
  return (frame) => {
    const left = first(frame);
    const right = second(frame);
    // Scalars are the common case, and always cost one unit.
    if ((typeof left === 'bigint' || typeof left === 'boolean') && typeof right === typeof left) charge(frame, 1);
    else charge(frame, cost([left, right], false));
    if (left instanceof CelFailure) return left;
    return right instanceof CelFailure ? right : operate(left, right);
  };
}

function generalStep(steps: readonly Step[], call: (args: readonly CelValue[]) => CelOutcome, cost: CallCost): Step {
  return (frame) => {
    const outcomes: CelOutcome[] = [];
    const values: CelValue[] = [];
    let failed: CelFailure | undefined;
    for (const step of steps) {
      const outcome = step(frame);
      outcomes.push(outcome);
      if (!(outcome instanceof CelFailure)) values.push(outcome);
      else failed ??= outcome;
    }
    const result = failed ?? call(values);
    charge(frame, typeof cost === 'number' ? cost : cost(outcomes, result));
    return result;
  };
}

function implementationOf({ name, overloads }: CompiledCall): (args: readonly CelValue[]) => CelOutcome {
  const [only, ...others] = overloads;
  if (only === undefined) return (args) => noSuchOverload(name, args);
  if (others.length === 0) return only.call;
  return (args) => {
    const matching = overloads.find(({ parameters }) =>
      parameters.every((type, index) => isOfType(args[index] ?? null, type)),
    );
    return matching === undefined ? noSuchOverload(name, args) : matching.call(args);
  };
}

// A pattern that never changes is compiled once, and what is wrong with it is said at once.
function patternImplementation({
  name,
  constants,
}: CompiledCall): ((args: readonly CelValue[]) => CelOutcome) | undefined {
  const pattern = constants[1];
  if (typeof pattern !== 'string' || !['matches', 'find', 'findAll'].includes(name)) return undefined;
  const compiled = compilePattern(pattern);
  if (typeof compiled === 'string') throw new CelError('program', `program instantiation failed: ${compiled}`);
  return (args) => applyPattern(name, compiled, args);
}

function applyPattern(name: string, pattern: RegularExpression, args: readonly CelValue[]): CelOutcome {
  const [text, , limit] = args;
  if (typeof text !== 'string') return noSuchOverload(name, args);
  if (name === 'matches') return pattern.isFoundIn(text);
  if (name === 'find') return pattern.firstIn(text) ?? '';
  return new ValueList(pattern.allIn(text, typeof limit === 'bigint' ? Number(limit) : -1));
}

/** `first.or(second)` and `first.orValue(second)`: the second is looked at only where the first has no value. */
export function compileOptionalOr(first: Step, second: Step, isUnwrapped: boolean): Step {
  return (frame: Frame) => {
    const left = first(frame);
    if (left instanceof CelFailure) return left;
    if (!(left instanceof CelOptional)) return new CelFailure('no such overload');
    if (left.value === undefined) return second(frame);
    return isUnwrapped ? left.value : left;
  };
}

/** `left || right` where true decides, `left && right` where false does. A failure yields to the other side's decision. */
export function compileLogical([left, right]: readonly Step[], decisive: boolean): Step {
  if (left === undefined || right === undefined) return () => new CelFailure('no such overload');
  return (frame) => {
    const first = left(frame);
    if (first === decisive) return decisive;
    const second = right(frame);
    if (second === decisive) return decisive;
    if (first === !decisive && second === !decisive) return !decisive;
    if (first instanceof CelFailure) return first;
    return second instanceof CelFailure ? second : new CelFailure('no such overload');
  };
}

/** True for everything but false, so that a loop goes on past failures. */
export function compileNotStrictlyFalse(argument: Step): Step {
  return (frame) => {
    const value = argument(frame);
    charge(frame, 1);
    return value !== false;
  };
}
