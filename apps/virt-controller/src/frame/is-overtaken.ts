import { isConflict, isKubeError } from '@smalt/kube';

/**
 * Whether somebody else was faster: the object has changed since it was read, or a test of a patch did not hold. That is
 * ordinary, and the next look goes by what is there then.
 */
export function isOvertaken(error: unknown): boolean {
  if (isConflict(error)) return true;
  if (!isKubeError(error, 'invalid')) return false;
  // A patch whose test fails is answered like one that breaks a rule, but names no field.
  return (error.status?.details?.causes ?? []).length === 0;
}
