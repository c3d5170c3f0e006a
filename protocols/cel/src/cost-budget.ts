import { CelError } from './cel-error.ts';

/** The most that one evaluation may cost. */
export const MAX_CALL_COST = 1_000_000;
/** The most that all rules of one object may cost together. */
export const MAX_OBJECT_COST = 10_000_000;

/** What several evaluations may cost together. */
export class CostBudget {
  #remaining: number;
  #spent = 0;

  constructor(limit: number = MAX_OBJECT_COST) {
    this.#remaining = limit;
  }

  /** What is left; negative once it was overdrawn. */
  get remaining(): number {
    return this.#remaining;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Takes the cost of an evaluation off, and throws where more is asked for than is left. */
  spend(cost: number): void {
    this.#spent += cost;
    const isEnough = cost <= this.#remaining;
    this.#remaining = isEnough ? this.#remaining - cost : -1;
    if (!isEnough) {
      throw new CelError(
        'budget',
        'validation failed due to running out of cost budget, no further validation rules will be run',
      );
    }
  }
}
