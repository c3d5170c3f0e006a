import type { HostUsage, MigrationUsage, NamedInstanceUsage, NodeUsage } from '@smalt/vm-api';

/** What a machine uses now. */
export interface MachineRates {
  readonly namespace: string;
  readonly name: string;
  readonly host: string;
  readonly vcpus: number;
  /** Processors in full use: 1.5 is one and a half of them. */
  readonly cpu: number;
  readonly memoryUsedBytes: number;
  readonly memoryTotalBytes: number;
  readonly readBytesPerSecond: number;
  readonly writtenBytesPerSecond: number;
  readonly receivedBytesPerSecond: number;
  readonly sentBytesPerSecond: number;
  readonly migration?: MigrationUsage;
}

/** What a host uses now. */
export interface HostRates {
  readonly cpu: number;
  readonly cpus: number;
  readonly load1: number;
  readonly memoryUsedBytes: number;
  readonly memoryTotalBytes: number;
}

export interface NodeRates {
  readonly host: HostRates;
  readonly machines: readonly MachineRates[];
}

/** Makes rates of two messages of a node. A counter that went back began anew, and a machine that is new has no rate yet. */
export function nodeRates(host: string, before: NodeUsage | undefined, now: NodeUsage): NodeRates {
  const seconds = secondsBetween(before?.at, now.at);
  const earlier = new Map((before?.machines ?? []).map((machine) => [keyOf(machine), machine]));
  return {
    host: hostRates(before?.host, now.host, seconds),
    machines: now.machines.map((machine) => machineRates(host, { before: earlier.get(keyOf(machine)), now: machine })),
  };
}

function hostRates(before: HostUsage | undefined, now: HostUsage, seconds: number): HostRates {
  const { cpuBusySeconds, ...rest } = now;
  return { ...rest, cpu: rate(before?.cpuBusySeconds, cpuBusySeconds, seconds) };
}

interface TwoUsages {
  readonly before: NamedInstanceUsage | undefined;
  readonly now: NamedInstanceUsage;
}

function machineRates(host: string, { before, now }: TwoUsages): MachineRates {
  const seconds = secondsBetween(before?.at, now.at);
  const of = (total: (usage: NamedInstanceUsage) => number): number =>
    rate(before === undefined ? undefined : total(before), total(now), seconds);
  return {
    namespace: now.namespace,
    name: now.name,
    host,
    vcpus: now.cpu.vcpus,
    cpu: of(({ cpu }) => cpu.seconds),
    memoryUsedBytes: now.memory.usedBytes,
    memoryTotalBytes: now.memory.totalBytes,
    readBytesPerSecond: of(({ disks }) => sum(disks.map(({ readBytes }) => readBytes))),
    writtenBytesPerSecond: of(({ disks }) => sum(disks.map(({ writtenBytes }) => writtenBytes))),
    receivedBytesPerSecond: of(({ interfaces }) => sum(interfaces.map(({ receivedBytes }) => receivedBytes))),
    sentBytesPerSecond: of(({ interfaces }) => sum(interfaces.map(({ sentBytes }) => sentBytes))),
    ...(now.migration === undefined ? {} : { migration: now.migration }),
  };
}

function rate(before: number | undefined, now: number, seconds: number): number {
  if (before === undefined || seconds <= 0 || now < before) return 0;
  return (now - before) / seconds;
}

function secondsBetween(before: string | undefined, now: string): number {
  return before === undefined ? 0 : (Date.parse(now) - Date.parse(before)) / 1_000;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function keyOf({ namespace, name }: NamedInstanceUsage): string {
  return `${namespace}/${name}`;
}
