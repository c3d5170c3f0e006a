import type { ExpressionInput } from './admission-expression.ts';
import type { Policy, PolicyValidation } from './policy.ts';

/** Why a policy refuses a write. */
export interface PolicyDenial {
  readonly message: string;
  /** A reason of a Status. */
  readonly reason: string;
}

const MAX_MESSAGE_BYTES = 5 * 1024;

/** Asks a policy about a write: one denial for each of its rules that does not hold. */
export function evaluatePolicy(policy: Policy, input: ExpressionInput): readonly PolicyDenial[] {
  const failure = (message: string): readonly PolicyDenial[] =>
    policy.isIgnoredOnFailure ? [] : [{ message, reason: 'Invalid' }];
  const matched = policy.conditions.evaluate(input);
  if (matched === 'no-match') return [];
  if (matched !== 'match') return failure(matched.error);
  return policy.validations.flatMap((validation) => {
    const result = validation.expression.evaluate(input);
    if (result.kind === 'error') return failure(result.message);
    if (result.value === true) return [];
    return [{ message: messageOf(validation, input), reason: validation.reason }];
  });
}

function messageOf(validation: PolicyValidation, input: ExpressionInput): string {
  const made = validation.messageExpression?.evaluate(input);
  const text = made?.kind === 'value' && typeof made.value === 'string' ? made.value.trim() : '';
  const isUsable = text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= MAX_MESSAGE_BYTES;
  if (isUsable) return text;
  return validation.message.trim() || `failed expression: ${validation.expression.source.trim()}`;
}
