import {
  VirtualMachineInstanceConditionType as Type,
  VirtualMachineInstancePhase,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@smalt/vm-api';

import { NOT_RUNNING, type SubresourceDecision } from './decision.ts';
import { hasCondition, isRunning } from './instance-facts.ts';
import { badRequest, conflict, denied } from './refusal.ts';

const FORWARD: SubresourceDecision = { kind: 'forward' };
const NO_AGENT = 'VMI does not have guest agent connected';

/** What a request to pause an instance leads to. */
export function decidePause(instance: VirtualMachineInstance): SubresourceDecision {
  const { livenessProbe } = instance.spec;
  if (!isRunning(instance)) return conflict(instance, NOT_RUNNING.machine);
  // Any other probe would fail while nothing answers it, and the guest would be restarted.
  if (livenessProbe !== undefined && livenessProbe.guestAgentPing === undefined) {
    return denied(instance, 'Pausing VMIs with a non-GuestAgentPing LivenessProbe is not supported');
  }
  return hasCondition(instance, Type.paused) ? conflict(instance, 'VMI is already paused') : FORWARD;
}

/** What a request to have a paused instance go on leads to. `machine` is the one it belongs to, if it does. */
export function decideUnpause(
  instance: VirtualMachineInstance,
  machine: VirtualMachine | undefined,
): SubresourceDecision {
  if (machine?.status?.snapshotInProgress !== undefined) return conflict(machine, 'VM snapshot is in progress');
  if (!isRunning(instance)) return conflict(instance, NOT_RUNNING.instance);
  return hasCondition(instance, Type.paused) ? FORWARD : conflict(instance, 'VMI is not paused');
}

/** What a request to freeze the file systems of an instance leads to. */
export function decideFreeze(instance: VirtualMachineInstance): SubresourceDecision {
  return isRunning(instance) ? FORWARD : conflict(instance, NOT_RUNNING.machine);
}

/** What a request to thaw the file systems of an instance leads to. */
export function decideUnfreeze(instance: VirtualMachineInstance): SubresourceDecision {
  return isRunning(instance) ? FORWARD : conflict(instance, NOT_RUNNING.instance);
}

/** What a request to reset an instance leads to. */
export function decideReset(instance: VirtualMachineInstance): SubresourceDecision {
  if (isRunning(instance)) return FORWARD;
  const phase = instance.status?.phase ?? '';
  return conflict(instance, `Failed to reset non-running VMI with phase ${phase}: ${NOT_RUNNING.instance}`);
}

/** What a request to have the guest reboot itself leads to. */
export function decideSoftReboot(instance: VirtualMachineInstance): SubresourceDecision {
  if (!isRunning(instance)) return conflict(instance, NOT_RUNNING.machine);
  if (hasCondition(instance, Type.paused)) return conflict(instance, 'VMI is paused');
  const hasAcpi = instance.spec.domain.features?.acpi?.enabled !== false;
  if (hasAcpi || hasCondition(instance, Type.agentConnected)) return FORWARD;
  return conflict(instance, 'VMI neither have the agent connected nor the ACPI feature enabled');
}

/** What a request for the serial console leads to. */
export function decideConsole(instance: VirtualMachineInstance): SubresourceDecision {
  if (instance.spec.domain.devices.autoattachSerialConsole === false) {
    return badRequest('No serial consoles are present.');
  }
  if (instance.status?.phase === VirtualMachineInstancePhase.failed) {
    return conflict(instance, 'VMI is in failed status');
  }
  return isRunning(instance) ? FORWARD : badRequest(NOT_RUNNING.instance);
}

/** What a request for the screen, or for a picture of it, leads to. */
export function decideDisplay(instance: VirtualMachineInstance): SubresourceDecision {
  if (instance.spec.domain.devices.autoattachGraphicsDevice === false) {
    return badRequest('No graphics devices are present.');
  }
  return isRunning(instance) ? FORWARD : badRequest(NOT_RUNNING.instance);
}

/** What a request to lend a USB device to the guest leads to. */
export function decideUsbRedirection(instance: VirtualMachineInstance): SubresourceDecision {
  const { architecture, domain } = instance.spec;
  if (architecture === 's390x') return conflict(instance, 'No USB support on s390x');
  if (domain.devices.clientPassthrough === undefined) {
    return conflict(instance, 'Not configured with USB Redirection');
  }
  return isRunning(instance) ? FORWARD : badRequest(NOT_RUNNING.instance);
}

/** What a request for a socket into the guest leads to. */
export function decideVsock(instance: VirtualMachineInstance): SubresourceDecision {
  return instance.spec.domain.devices.autoattachVSOCK === true ? FORWARD : badRequest('VSOCK is not attached.');
}

/** What a request to forward a port of the guest leads to. */
export function decidePortForward(instance: VirtualMachineInstance): SubresourceDecision {
  return hasCondition(instance, Type.paused) ? conflict(instance, 'VMI is paused') : FORWARD;
}

/** What a request for what the guest agent knows leads to: the system, its users or its file systems. */
export function decideGuestQuery(instance: VirtualMachineInstance): SubresourceDecision {
  if (!isRunning(instance)) return conflict(instance, NOT_RUNNING.instance);
  return hasCondition(instance, Type.agentConnected) ? FORWARD : conflict(instance, NO_AGENT);
}
