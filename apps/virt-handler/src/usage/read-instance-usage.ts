import type { TypedParameters } from '@smalt/libvirt';
import type { DiskUsage, InstanceUsage, InterfaceUsage, VirtualMachineInstance } from '@smalt/vm-api';

import { numberAt } from '../metrics/guest-metric-table.ts';

const KIBIBYTE = 1_024;
const NANOSECONDS = 1e9;

/** Puts what libvirt counts of one guest into the words of its instance. What libvirt did not tell is 0. */
export function readInstanceUsage(
  statistics: TypedParameters,
  instance: VirtualMachineInstance,
  at: string,
): InstanceUsage {
  return {
    at,
    cpu: { seconds: number(statistics, 'cpu.time') / NANOSECONDS, vcpus: number(statistics, 'vcpu.current') },
    memory: readMemory(statistics),
    disks: readDisks(statistics, instance),
    interfaces: readInterfaces(statistics, instance),
  };
}

function readMemory(statistics: TypedParameters): InstanceUsage['memory'] {
  const residentBytes = number(statistics, 'balloon.rss') * KIBIBYTE;
  const totalBytes = number(statistics, 'balloon.current') * KIBIBYTE;
  const available = numberAt(statistics, 'balloon.available');
  const free = numberAt(statistics, 'balloon.usable') ?? numberAt(statistics, 'balloon.unused');
  // Without a driver for its balloon a guest says nothing.
  const told = available === undefined || free === undefined ? undefined : (available - free) * KIBIBYTE;
  return { residentBytes, usedBytes: told ?? Math.min(residentBytes, totalBytes), totalBytes };
}

function readDisks(statistics: TypedParameters, { status }: VirtualMachineInstance): readonly DiskUsage[] {
  return prefixes(statistics, 'block').map((prefix) => {
    const target = textAt(statistics, `${prefix}name`);
    const volume = status?.volumeStatus?.find((each) => each.target !== '' && each.target === target);
    return {
      name: volume?.name ?? target,
      readBytes: number(statistics, `${prefix}rd.bytes`),
      writtenBytes: number(statistics, `${prefix}wr.bytes`),
      reads: number(statistics, `${prefix}rd.reqs`),
      writes: number(statistics, `${prefix}wr.reqs`),
    };
  });
}

function readInterfaces(statistics: TypedParameters, { spec }: VirtualMachineInstance): readonly InterfaceUsage[] {
  // libvirt counts them in the order in which the handler wrote them, which is that of the spec.
  const cards = (spec.domain.devices.interfaces ?? []).filter(({ state }) => state !== 'absent');
  return prefixes(statistics, 'net').map((prefix, index) => ({
    name: cards[index]?.name ?? textAt(statistics, `${prefix}name`),
    receivedBytes: number(statistics, `${prefix}rx.bytes`),
    sentBytes: number(statistics, `${prefix}tx.bytes`),
  }));
}

function prefixes(statistics: TypedParameters, of: 'block' | 'net'): readonly string[] {
  // Whatever libvirt says the count is, there cannot be more of them than there are statistics.
  const length = Math.min(number(statistics, `${of}.count`), Object.keys(statistics).length);
  return Array.from({ length }, (_, index) => `${of}.${index}.`);
}

function number(statistics: TypedParameters, field: string): number {
  return Math.max(0, numberAt(statistics, field) ?? 0);
}

function textAt(statistics: TypedParameters, field: string): string {
  const value = statistics[field];
  return typeof value === 'string' ? value : '';
}
