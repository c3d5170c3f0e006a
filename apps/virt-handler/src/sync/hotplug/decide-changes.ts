import { guestMemoryOf, topologyOf, type DomainReport } from '@smalt/domain-xml';
import type { Hypervisor } from '@smalt/hypervisors';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import { holdsOtherClaim } from '@smalt/vm-lifecycle';

import { isHotplugged } from '../status/guest-volumes.ts';
import type { MemoryDevice } from './memory-device.ts';

/** What differs between an instance and the guest that runs for it, as far as that can be changed while it runs. */
export interface GuestChanges {
  /** The names of the disks to plug in, and of those to take out. */
  readonly attach: readonly string[];
  readonly detach: readonly string[];
  /** How many processors the guest is to have. */
  readonly processors: number | undefined;
  readonly memory: MemoryChange | undefined;
}

/** How much memory is to be plugged in beside what the guest was started with. */
export interface MemoryChange {
  readonly requestedBytes: bigint;
  /** How much can be plugged in at most. */
  readonly maxBytes: bigint;
}

export interface RunningGuest {
  readonly hypervisor: Hypervisor;
  readonly report: DomainReport;
  readonly memoryDevice: MemoryDevice | undefined;
}

const NO_CHANGES: GuestChanges = { attach: [], detach: [], processors: undefined, memory: undefined };

/** Decides what is to be changed about a guest that runs. */
export function decideChanges(instance: VirtualMachineInstance, guest: RunningGuest): GuestChanges {
  const { hypervisor, report } = guest;
  if (!hypervisor.defaults.supportsHotplug) return NO_CHANGES;
  const { disks = [] } = instance.spec.domain.devices;
  const { volumes = [] } = instance.spec;
  const plugged = new Set(report.disks.flatMap(({ name }) => (name === undefined ? [] : [name])));
  const wanted = new Set(disks.map(({ name }) => name));
  const pluggable = new Set(volumes.filter(isHotplugged).map(({ name }) => name));
  return {
    attach: [...wanted].filter((name) => pluggable.has(name) && !plugged.has(name) && !holdsOtherClaim(instance, name)),
    // By the same name another claim may be wanted by now.
    detach: [...plugged].filter((name) => !wanted.has(name) || holdsOtherClaim(instance, name)),
    processors: processorChange(instance, report),
    memory: memoryChange(instance, guest),
  };
}

/** Processors are added only: what a guest has it seldom gives back. */
function processorChange(instance: VirtualMachineInstance, { processors }: DomainReport): number | undefined {
  const { count } = topologyOf(instance);
  return count > processors.count && count <= processors.maxCount ? count : undefined;
}

function memoryChange(
  instance: VirtualMachineInstance,
  { report, memoryDevice }: RunningGuest,
): MemoryChange | undefined {
  const { maxBytes } = report.memory;
  if (maxBytes === undefined) return undefined;
  const atBoot = report.memory.bytes - (memoryDevice?.sizeBytes ?? 0n);
  const extra = guestMemoryOf(instance).guestBytes - atBoot;
  const requestedBytes = extra > 0n ? extra : 0n;
  const room = maxBytes - atBoot;
  if (requestedBytes === (memoryDevice?.requestedBytes ?? 0n) || requestedBytes > room) return undefined;
  return { requestedBytes, maxBytes: room };
}
