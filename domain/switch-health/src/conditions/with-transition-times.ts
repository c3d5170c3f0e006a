import type { OVSNodeCondition } from '@smalt/ovs-api';

import { formatTime } from '../format-time.ts';
import type { ConditionStatement } from './condition-statement.ts';

/** Adds the times of the last transition, which move only when a status does. */
export function withTransitionTimes(
  statements: readonly ConditionStatement[],
  previous: readonly OVSNodeCondition[],
  at: number,
): readonly OVSNodeCondition[] {
  return statements.map((statement) => {
    const old = previous.find(({ type }) => type === statement.type);
    const kept = old?.status === statement.status ? old.lastTransitionTime : undefined;
    return { ...statement, lastTransitionTime: kept ?? formatTime(at) };
  });
}
