/** Where an instance is in its life. */
export const VirtualMachineInstancePhase = {
  unset: '',
  pending: 'Pending',
  scheduling: 'Scheduling',
  scheduled: 'Scheduled',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  waitingForSync: 'WaitingForSync',
  unknown: 'Unknown',
} as const;
export type VirtualMachineInstancePhase =
  (typeof VirtualMachineInstancePhase)[keyof typeof VirtualMachineInstancePhase];

/** Whether an instance has come to its end and will not run again. */
export function isFinalPhase(phase: string | undefined): boolean {
  return phase === VirtualMachineInstancePhase.succeeded || phase === VirtualMachineInstancePhase.failed;
}

/** The phases of a volume of an instance. */
export const VolumePhase = {
  pending: 'Pending',
  bound: 'Bound',
  attachedToNode: 'AttachedToNode',
  mountedToPod: 'MountedToPod',
  ready: 'Ready',
  detaching: 'Detaching',
  unmountedFromPod: 'UnMountedFromPod',
  memoryDumpCompleted: 'MemoryDumpCompleted',
  memoryDumpInProgress: 'MemoryDumpInProgress',
  memoryDumpFailed: 'MemoryDumpFailed',
} as const;
export type VolumePhase = (typeof VolumePhase)[keyof typeof VolumePhase];
