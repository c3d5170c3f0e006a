import {
  VirtualMachineInstancePhase,
  type VirtualMachineInstance,
  type VirtualMachineInstanceConditionType,
} from '@smalt/vm-api';

export function isRunning({ status }: VirtualMachineInstance): boolean {
  return status?.phase === VirtualMachineInstancePhase.running;
}

/** Whether a condition is there, and says so. */
export function hasCondition({ status }: VirtualMachineInstance, type: VirtualMachineInstanceConditionType): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}
