import { byteText } from '../image/byte-text.ts';
import type { Paint } from '../output/live-screen.ts';
import { percentText, progressBar } from '../output/progress-bar.ts';
import { printableText } from '../printable-text.ts';
import { table } from '../table.ts';
import { migrationShare } from '../virtual-machines/migration-text.ts';
import type { HostRates, MachineRates } from './usage-rates.ts';

/** A host with what it uses, or why that is not known. */
export interface TopHost {
  readonly name: string;
  readonly state: string;
  readonly rates: HostRates | undefined;
  readonly machines: number;
  readonly trouble: string | undefined;
}

export interface TopState {
  readonly hosts: readonly TopHost[];
  readonly machines: readonly MachineRates[];
}

export const SORTS = ['cpu', 'memory', 'disk', 'network', 'name'] as const;
export type TopSort = (typeof SORTS)[number];

const BAR = 10;
const HOST_COLUMNS = ['HOST', 'STATE', 'CPU', '', 'MEMORY', '', 'LOAD', 'MACHINES'];
const MACHINE_COLUMNS = ['NAMESPACE', 'NAME', 'HOST', 'CPU', 'MEMORY', 'READ', 'WRITE', 'IN', 'OUT', ''];

/** Draws hosts and machines for a terminal; `rows` is how much room there is. */
export function topLines(state: TopState, paint: Paint, rows: number): readonly string[] {
  const hosts = table([HOST_COLUMNS, ...state.hosts.map(hostRow)]).split('\n');
  const machines = table([MACHINE_COLUMNS, ...state.machines.map(machineRow)]).split('\n');
  const room = rows - hosts.length - 3;
  const shown = machines.slice(0, Math.max(2, room));
  const hidden = machines.length - shown.length;
  return [
    ...headed(hosts, paint),
    ...state.hosts.flatMap(({ name, trouble }) => (trouble === undefined ? [] : [paint.bad(`${name}: ${trouble}`)])),
    '',
    ...(state.machines.length === 0 ? [paint.faint('no machine runs')] : headed(shown, paint)),
    ...(hidden > 0 ? [paint.faint(`and ${hidden} more; --sort chooses which come first`)] : []),
  ];
}

/** Both tables as plain text, for a pipe. */
export function topText(state: TopState): string {
  const hosts = table([HOST_COLUMNS, ...state.hosts.map(hostRow)]);
  const machines =
    state.machines.length === 0 ? 'no machine runs' : table([MACHINE_COLUMNS, ...state.machines.map(machineRow)]);
  return `${hosts}\n\n${machines}\n`;
}

/** The machines that use most first, or by name. */
export function sortMachines(machines: readonly MachineRates[], sort: TopSort): readonly MachineRates[] {
  const weights: Readonly<Record<TopSort, (each: MachineRates) => number>> = {
    cpu: ({ cpu }) => cpu,
    memory: ({ memoryUsedBytes }) => memoryUsedBytes,
    disk: ({ readBytesPerSecond, writtenBytesPerSecond }) => readBytesPerSecond + writtenBytesPerSecond,
    network: ({ receivedBytesPerSecond, sentBytesPerSecond }) => receivedBytesPerSecond + sentBytesPerSecond,
    name: () => 0,
  };
  const weight = weights[sort];
  return machines.toSorted((one, other) => weight(other) - weight(one) || keyOf(one).localeCompare(keyOf(other)));
}

function headed([head = '', ...rows]: readonly string[], paint: Paint): readonly string[] {
  return [paint.strong(head), ...rows];
}

function hostRow({ name, state, rates, machines }: TopHost): readonly string[] {
  const known = rates === undefined ? ['', '?', '', '?', '?'] : usageCells(rates);
  const [cpuBar = '', cpu = '', memoryBar = '', memory = '', load = ''] = known;
  return [printableText(name), state, cpuBar, cpu, memoryBar, memory, load, String(machines)];
}

function usageCells({ cpu, cpus, memoryUsedBytes, memoryTotalBytes, load1 }: HostRates): readonly string[] {
  const cpuShare = cpus === 0 ? 0 : cpu / cpus;
  const memoryShare = memoryTotalBytes === 0 ? 0 : memoryUsedBytes / memoryTotalBytes;
  return [
    progressBar(cpuShare, BAR),
    `${percentText(cpuShare)} of ${cpus}`,
    progressBar(memoryShare, BAR),
    `${byteText(memoryUsedBytes)} of ${byteText(memoryTotalBytes)}`,
    load1.toFixed(2),
  ];
}

function machineRow(machine: MachineRates): readonly string[] {
  const { vcpus, cpu, migration } = machine;
  return [
    printableText(machine.namespace),
    printableText(machine.name),
    printableText(machine.host),
    `${percentText(vcpus === 0 ? 0 : cpu / vcpus)} of ${vcpus}`,
    `${byteText(machine.memoryUsedBytes)} of ${byteText(machine.memoryTotalBytes)}`,
    ...[
      machine.readBytesPerSecond,
      machine.writtenBytesPerSecond,
      machine.receivedBytesPerSecond,
      machine.sentBytesPerSecond,
    ].map(rateText),
    migration === undefined ? '' : `moves ${percentText(migrationShare(migration))}`,
  ];
}

function rateText(bytesPerSecond: number): string {
  return bytesPerSecond < 1 ? '-' : `${byteText(Math.round(bytesPerSecond))}/s`;
}

function keyOf({ namespace, name }: MachineRates): string {
  return `${namespace}/${name}`;
}
