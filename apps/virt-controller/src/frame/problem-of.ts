import { isKubeError } from '@smalt/kube';
import { messageOf } from '@smalt/service-runtime';
import { isInvalidQuantity } from '@smalt/vm-lifecycle';
import { HypervisorError } from '@smalt/hypervisors';

import { isNameTaken } from '../virt-controller-error.ts';
import { isOvertaken } from './is-overtaken.ts';

/** Why something could not be done, for a condition. */
export interface Problem {
  readonly reason: string;
  readonly message: string;
}

/** What a person has to know of a failure; undefined for those that pass by themselves. */
export function problemOf(error: unknown, reason: string): Problem | undefined {
  if (isOvertaken(error)) return undefined;
  const isTold =
    isKubeError(error, 'invalid', 'forbidden', 'bad-request') ||
    isInvalidQuantity(error) ||
    isNameTaken(error) ||
    error instanceof HypervisorError;
  return isTold ? { reason, message: messageOf(error) } : undefined;
}
