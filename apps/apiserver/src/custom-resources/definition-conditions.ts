import type { JsonObject } from '@smalt/json';

import { objectsAt, textAt } from '../identity/object-fields.ts';
import { timestamp } from '../registry/object-metadata.ts';

/** A condition without the moment of its last change. */
export interface DefinitionCondition {
  readonly type: 'Established' | 'NamesAccepted' | 'Terminating' | 'KubernetesAPIApprovalPolicyConformant';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** The conditions of a status with one of them set. The moment of change moves only when the status word changes. */
export function withCondition(status: JsonObject, wanted: DefinitionCondition, now: number): JsonObject {
  const conditions = objectsAt(status, 'conditions');
  const known = conditions.find(({ type }) => type === wanted.type);
  if (known !== undefined && isSame(known, wanted)) return status;
  const { type, reason, message } = wanted;
  const isTurned = known === undefined || known['status'] !== wanted.status;
  const lastTransitionTime = isTurned ? timestamp(now) : textAt(known, 'lastTransitionTime');
  const condition = { type, status: wanted.status, lastTransitionTime, reason, message };
  const next =
    known === undefined ? [...conditions, condition] : conditions.map((each) => (each === known ? condition : each));
  return { ...status, conditions: next };
}

/** Whether a condition is there and true. */
export function isConditionTrue(status: JsonObject, type: DefinitionCondition['type']): boolean {
  return objectsAt(status, 'conditions').some(
    (condition) => condition['type'] === type && condition['status'] === 'True',
  );
}

function isSame(known: JsonObject, wanted: DefinitionCondition): boolean {
  return known['status'] === wanted.status && known['reason'] === wanted.reason && known['message'] === wanted.message;
}
