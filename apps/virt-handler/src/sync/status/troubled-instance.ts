import {
  VirtualMachineInstanceConditionReason as Reason,
  VirtualMachineInstanceConditionType as Type,
  type VirtualMachineInstance,
} from '@smalt/vm-api';
import { withCondition } from '@smalt/vm-lifecycle';

/** The instance as it is to be written when something keeps its domain from being as it says. */
export function troubledInstance(
  instance: VirtualMachineInstance,
  message: string,
  now: number,
): VirtualMachineInstance {
  const value = { type: Type.synchronized, status: 'False', reason: Reason.Synchronized.failed, message } as const;
  const conditions = withCondition(instance.status?.conditions, value, now);
  return { ...instance, status: { ...instance.status, conditions } };
}
