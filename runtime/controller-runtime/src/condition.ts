import type { Condition } from '@smalt/kubernetes';

/** A condition as a controller states it; the times and the generation are filled in. */
export type ConditionStatement = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

export interface ConditionContext {
  /** The generation of the object that the statement is about. */
  readonly generation: number | undefined;
  readonly now: Date;
}

/**
 * States a condition: the list with it in place of the one of its type. The time of the last transition moves only when
 * the status does. The same list comes back when nothing changed.
 */
export function withCondition(
  conditions: readonly Condition[],
  statement: ConditionStatement,
  { generation, now }: ConditionContext,
): readonly Condition[] {
  const index = conditions.findIndex(({ type }) => type === statement.type);
  const old = conditions[index];
  const lastTransitionTime = old?.status === statement.status ? old.lastTransitionTime : timeText(now);
  const condition: Condition = {
    ...statement,
    lastTransitionTime,
    ...(generation !== undefined && { observedGeneration: generation }),
  };
  if (old === undefined) return [...conditions, condition];
  return isSame(old, condition) ? conditions : conditions.with(index, condition);
}

export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether a condition is there and True. */
export function isConditionTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

function isSame(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    a.observedGeneration === b.observedGeneration &&
    a.lastTransitionTime === b.lastTransitionTime
  );
}

function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
