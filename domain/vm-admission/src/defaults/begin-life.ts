import { VirtualMachineInstancePhase, WellKnownName, type VirtualMachineInstance } from '@smalt/vm-api';

/** Marks a new instance as pending, and keeps it from vanishing before its guest is gone. */
export function beginLife(instance: VirtualMachineInstance, now: Date): VirtualMachineInstance {
  const { metadata, status } = instance;
  const { finalizers = [] } = metadata;
  const phase = VirtualMachineInstancePhase.pending;
  // A webhook may be called a second time with what it gave back the first time.
  const isKept = finalizers.includes(WellKnownName.instanceFinalizer);
  return {
    ...instance,
    metadata: { ...metadata, finalizers: isKept ? finalizers : [...finalizers, WellKnownName.instanceFinalizer] },
    status: {
      ...status,
      phase,
      phaseTransitionTimestamps: [{ phase, phaseTransitionTimestamp: wholeSeconds(now) }],
    },
  };
}

function wholeSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}
