import type { VirtualMachineInstance } from '@smalt/vm-api';

/** Whether an instance is on its way to another node right now. */
export function isMigrating({ status }: VirtualMachineInstance): boolean {
  const state = status?.migrationState;
  return isSet(state?.startTimestamp) && !isSet(state?.endTimestamp) && state?.completed !== true;
}

function isSet(time: string | null | undefined): boolean {
  return time !== undefined && time !== null && time !== '';
}
