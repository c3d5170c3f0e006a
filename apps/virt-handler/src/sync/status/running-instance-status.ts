import { guestMemoryOf, instanceStatus } from '@smalt/domain-xml';
import { formatQuantity, quantityOfInteger } from '@smalt/quantity';
import {
  VirtualMachineInstancePhase as Phase,
  type MemoryStatus,
  type VirtualMachineInstance,
  type VirtualMachineInstanceStatus,
} from '@smalt/vm-api';

import type { KnownDomain } from '../domains/known-domain.ts';
import { findMemoryDevice } from '../hotplug/memory-device.ts';
import { guestConditions, migratability } from './guest-conditions.ts';
import { guestInterfaces } from './guest-interfaces.ts';
import { guestVolumes } from './guest-volumes.ts';
import type { ObservedGuest } from './observed-guest.ts';
import { withPhase } from './with-phase.ts';

/** The instance as it is to be written while its guest has a process: one write tells all of it. */
export function runningInstance(
  instance: VirtualMachineInstance,
  observed: ObservedGuest,
  now: number,
): VirtualMachineInstance {
  const { domain, networks, guest } = observed;
  const { report } = domain;
  const status = withPhase(instance.status ?? {}, Phase.running, now);
  const { method } = migratability(instance, observed);
  const { migrationMethod: _, ...kept } = status;
  const os = guest?.os ?? kept.guestOSInfo;
  const told: VirtualMachineInstanceStatus = {
    ...kept,
    ...instanceStatus(report, instance),
    memory: memoryOf(instance, domain),
    interfaces: guestInterfaces(instance, { report, networks, guest }),
    ...(os === undefined ? {} : { guestOSInfo: os }),
    volumeStatus: guestVolumes(instance, observed),
    conditions: guestConditions(instance, observed, now),
    ...(method === undefined ? {} : { migrationMethod: method }),
  };
  return { ...instance, status: told };
}

function memoryOf(instance: VirtualMachineInstance, { report, text }: KnownDomain): MemoryStatus {
  const asked = formatQuantity(quantityOfInteger(guestMemoryOf(instance).guestBytes, 'BinarySI'));
  const { bytes, currentBytes, maxBytes } = report.memory;
  const device = maxBytes === undefined ? undefined : findMemoryDevice(text);
  // Of memory that was plugged in, libvirt counts all that there could be; the guest takes it bit by bit.
  const current = device === undefined ? currentBytes : bytes - device.sizeBytes + device.currentBytes;
  return {
    ...instance.status?.memory,
    guestAtBoot: instance.status?.memory?.guestAtBoot ?? asked,
    guestRequested: asked,
    guestCurrent: formatQuantity(quantityOfInteger(current, 'BinarySI')),
  };
}
