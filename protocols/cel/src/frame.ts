import type { JsonValue } from '@smalt/json';

import { CelError } from './cel-error.ts';
import type { CelOutcome } from './cel-value.ts';

/** What one evaluation works on: the variables, and what it has cost so far. */
export interface Frame {
  /** The variables and the loop variables, by number. */
  readonly slots: (CelOutcome | undefined)[];
  readonly inputs: Readonly<Record<string, JsonValue | undefined>>;
  readonly limit: number;
  cost: number;
  iterations: number;
}

/** A compiled part of an expression. */
export type Step = (frame: Frame) => CelOutcome;

/** Some loops cost nothing for each round; this bounds how long those can run. */
const MAX_ITERATIONS = 1_000_000;

/** Adds to the cost of an evaluation, and ends it where that is over the limit. */
export function charge(frame: Frame, cost: number): void {
  frame.cost += cost;
  if (frame.cost > frame.limit) throw tooExpensive();
}

export function countIteration(frame: Frame): void {
  frame.iterations++;
  if (frame.iterations > MAX_ITERATIONS) throw tooExpensive();
}

function tooExpensive(): CelError {
  return new CelError('cost', 'operation cancelled: actual cost limit exceeded');
}
