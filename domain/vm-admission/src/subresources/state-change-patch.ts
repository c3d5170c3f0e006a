import type { JsonObject, JsonValue } from '@smalt/json';
import type { VirtualMachine, VirtualMachineStateChangeRequest } from '@smalt/vm-api';

import type { ObjectPatch, PatchOperation, Refusal } from './decision.ts';
import { conflict } from './refusal.ts';

const PATH = '/status/stateChangeRequests';
const UNDERWAY = 'unable to complete request: stop/start already underway';

/**
 * The patch that gives the controller its orders. It fails when other orders came in between. Orders that wait already
 * are only ever replaced by one to stop.
 */
export function stateChangePatch(
  machine: VirtualMachine,
  requests: readonly [VirtualMachineStateChangeRequest, ...VirtualMachineStateChangeRequest[]],
): ObjectPatch | Refusal {
  const { status } = machine;
  const waiting = status?.stateChangeRequests ?? [];
  const [first, ...others] = requests;
  const isStop = others.length === 0 && first.action === 'Stop';
  if (waiting.length > 0 && !isStop) return conflict(machine, UNDERWAY);
  const value = requests.map(requestJson);
  if (status === undefined) {
    return statusPatch([{ op: 'add', path: '/status', value: { stateChangeRequests: value } }]);
  }
  const hasFailed = status.startFailure !== undefined && status.startFailure !== null;
  return statusPatch([
    { op: 'test', path: PATH, value: waitingJson(status.stateChangeRequests) },
    { op: waiting.length === 0 ? 'add' : 'replace', path: PATH, value },
    // Somebody who asks does not want to wait for the next try.
    ...(hasFailed ? [{ op: 'remove', path: '/status/startFailure' } as const] : []),
  ]);
}

function statusPatch(operations: readonly PatchOperation[]): ObjectPatch {
  return { target: 'machine-status', operations };
}

function waitingJson(requests: readonly VirtualMachineStateChangeRequest[] | undefined): JsonValue {
  return requests === undefined ? null : requests.map(requestJson);
}

function requestJson({ action, data, uid }: VirtualMachineStateChangeRequest): JsonObject {
  return { action, ...(data === undefined ? {} : { data }), ...(uid === undefined ? {} : { uid }) };
}
