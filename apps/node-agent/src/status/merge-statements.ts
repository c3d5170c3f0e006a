import { withCondition } from '@smalt/controller-runtime';
import type { HypervisorStatus } from '@smalt/fleet-api';
import type { Condition } from '@smalt/kubernetes';

import type { StatusStatement } from './status-board.ts';
import type { AgentField } from './status-fields.ts';

export interface MergeInputs {
  readonly statements: readonly StatusStatement[];
  /** The fields that are the agent's. */
  readonly fields: readonly AgentField[];
  /** What the object says now. */
  readonly current: HypervisorStatus | undefined;
  readonly generation: number | undefined;
  /** The conditions that were written last, or those that the object had when it was seen first. */
  readonly remembered: readonly Condition[];
  /** The fields that some part has stated since the agent started: left out now, they go. */
  readonly stated: ReadonlySet<AgentField>;
  /** Types of conditions that stay as they are until their part speaks for the first time. */
  readonly carried: ReadonlySet<string>;
  readonly now: Date;
}

/** The part of a Hypervisor's status that is the agent's. */
export interface AgentStatus extends Partial<Omit<HypervisorStatus, 'conditions'>> {
  readonly conditions: readonly Condition[];
}

/**
 * Makes one status of what all parts say. What no part has spoken of yet stays as an earlier run of the agent left it, so
 * that a restart takes nothing away. Conditions keep the time of their last transition, and are sorted by type.
 */
export function mergeStatements(inputs: MergeInputs): AgentStatus {
  const { statements, current, stated } = inputs;
  const fields: Record<string, unknown> = {};
  for (const field of inputs.fields) {
    const value = stated.has(field) ? undefined : current?.[field];
    if (value !== undefined) fields[field] = value;
  }
  for (const statement of statements) {
    for (const [field, value] of Object.entries(statement.fields ?? {})) {
      if (value !== undefined) fields[field] = value;
    }
  }
  return { ...fields, conditions: mergeConditions(inputs) };
}

function mergeConditions({ statements, remembered, generation, carried, now }: MergeInputs): readonly Condition[] {
  const types = new Set<string>();
  let conditions = remembered;
  for (const statement of statements.flatMap(({ conditions: stated = [] }) => stated)) {
    types.add(statement.type);
    conditions = withCondition(conditions, statement, { generation, now });
  }
  return conditions
    .filter(({ type }) => types.has(type) || carried.has(type))
    .toSorted((a, b) => (a.type < b.type ? -1 : 1));
}
