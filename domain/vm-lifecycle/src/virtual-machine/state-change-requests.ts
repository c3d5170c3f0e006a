import { isFinalPhase, type VirtualMachineInstance, type VirtualMachineStateChangeRequest } from '@smalt/vm-api';

export type StateChangeRequests = readonly VirtualMachineStateChangeRequest[];

/** The orders that are still to be carried out: those at the head that are done, or never can be, are left out. */
export function openRequests(
  requests: StateChangeRequests | undefined,
  vmi: VirtualMachineInstance | undefined,
): StateChangeRequests {
  const all = requests ?? [];
  const first = all.findIndex((request) => !isDone(request, vmi));
  return first === -1 ? [] : all.slice(first);
}

function isDone({ action, uid }: VirtualMachineStateChangeRequest, vmi: VirtualMachineInstance | undefined): boolean {
  if (action === 'Stop') return vmi === undefined || uid === undefined || uid !== vmi.metadata.uid;
  if (action !== 'Start') return true;
  return vmi !== undefined && vmi.metadata.deletionTimestamp === undefined && !isFinalPhase(vmi.status?.phase);
}

/** Whether the next order is to stop this very instance. */
export function hasStopRequest(requests: StateChangeRequests, vmi: VirtualMachineInstance): boolean {
  const [next] = requests;
  return next?.action === 'Stop' && next.uid === vmi.metadata.uid;
}

export function hasStartRequest([next]: StateChangeRequests): boolean {
  return next?.action === 'Start';
}

/** Whether the next order is to start without letting the guest run yet. */
export function hasPausedStartRequest([next]: StateChangeRequests): boolean {
  return next?.action === 'Start' && next.data?.['paused'] === 'true';
}
