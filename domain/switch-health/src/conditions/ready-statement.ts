import type { ConditionStatement } from './condition-statement.ts';

/** The reason of a condition that does not apply. */
export const NOT_CONFIGURED = 'NotConfigured';

/**
 * Ready is False by the switch itself or by any part that is False, Unknown by any that is Unknown, and True otherwise.
 * A part that does not apply, such as OVN on a node without it, does not count.
 */
export function readyStatement(
  switchItself: ConditionStatement,
  parts: readonly ConditionStatement[],
): ConditionStatement {
  if (switchItself.status === 'False') return switchItself;
  const counted = [...parts.filter(({ reason }) => reason !== NOT_CONFIGURED), switchItself];
  const worst = counted.find(({ status }) => status === 'False') ?? counted.find(({ status }) => status === 'Unknown');
  if (worst === undefined) return switchItself;
  const { status, reason, message } = worst;
  return { type: switchItself.type, status, reason, message };
}
