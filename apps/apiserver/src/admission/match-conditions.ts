import type { JsonObject } from '@smalt/json';

import { objectsAt, textAt } from '../identity/object-fields.ts';
import { AdmissionExpression, type ExpressionInput, type ExpressionVariable } from './admission-expression.ts';

/** Whether a write is to be looked at, or why that cannot be told. */
export type ConditionResult = 'match' | 'no-match' | { readonly error: string };

/** The `matchConditions` of a webhook or a policy. */
export class MatchConditions {
  readonly #expressions: readonly AdmissionExpression[];

  constructor(owner: JsonObject, variables: readonly ExpressionVariable[] = []) {
    this.#expressions = objectsAt(owner, 'matchConditions').map(
      (condition) => new AdmissionExpression(textAt(condition, 'expression'), variables),
    );
  }

  get isEmpty(): boolean {
    return this.#expressions.length === 0;
  }

  /** One condition that is false settles it, whatever goes wrong with others. */
  evaluate(input: ExpressionInput): ConditionResult {
    const errors: string[] = [];
    for (const expression of this.#expressions) {
      const result = expression.evaluate(input);
      if (result.kind === 'error') errors.push(result.message);
      else if (result.value !== true) return 'no-match';
    }
    if (errors.length === 0) return 'match';
    return { error: errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]` };
  }
}
