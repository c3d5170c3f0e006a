import type { VirtualMachineInstanceStatus } from '@smalt/vm-api';
import { timeText } from '@smalt/vm-lifecycle';

/** The status in a phase, with the time it began if it is a new one. */
export function withPhase(
  status: VirtualMachineInstanceStatus,
  phase: string,
  now: number,
): VirtualMachineInstanceStatus {
  if (status.phase === phase) return status;
  const times = status.phaseTransitionTimestamps ?? [];
  return {
    ...status,
    phase,
    phaseTransitionTimestamps: [...times, { phase, phaseTransitionTimestamp: timeText(now) }],
  };
}
