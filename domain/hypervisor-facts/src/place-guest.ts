import { apportion } from './apportion.ts';
import type { CellUse } from './domain-use.ts';
import type { GuestPart, GuestShape } from './guest-part.ts';
import type { HostCapabilities } from './host-capabilities.ts';
import { ownText } from './own-text.ts';
import { readIdSet } from './read-id-set.ts';

/** One number per cell of the host, in the order of the cells: how much of something lies there. */
type PerCell = readonly number[];

/**
 * Where in the host a guest lies. Memory lies on the nodes it is bound to, spread evenly, or else near the CPUs that its
 * vCPUs are pinned to, for that is where Linux takes it from. vCPUs count where they are pinned to, or else where their
 * memory is. Without pins and bindings a guest has no place, unless the host has but one cell.
 */
export function placeGuest(shape: GuestShape, host: HostCapabilities, notes: Set<string>): readonly CellUse[] {
  const [only, ...others] = host.cells;
  if (!only) return [];
  if (others.length === 0) {
    return [{ cellId: only.id, memoryKiB: shape.memoryKiB, milliVcpus: shape.vcpus * 1000 }];
  }

  const placed = shape.parts.map((part) => placePart(part, host, notes));
  return host.cells
    .map(({ id }, index) => ({
      cellId: id,
      memoryKiB: sum(placed.map(({ memoryKiB }) => memoryKiB[index] ?? 0)),
      milliVcpus: sum(placed.map(({ milliVcpus }) => milliVcpus[index] ?? 0)),
    }))
    .filter(({ memoryKiB, milliVcpus }) => memoryKiB > 0 || milliVcpus > 0);
}

function placePart(
  part: GuestPart,
  host: HostCapabilities,
  notes: Set<string>,
): { readonly memoryKiB: PerCell; readonly milliVcpus: PerCell } {
  const bound = nodesPerCell(part.nodes, host, notes);
  const groups = part.vcpus.map(({ count, cpuset }) => {
    const pinned = cpuset === undefined ? [] : cpusPerCell(cpuset, host, notes);
    return apportion(count * 1000, isAnywhere(pinned) ? pinned : bound);
  });
  const milliVcpus = host.cells.map((_, index) => sum(groups.map((group) => group[index] ?? 0)));
  return { memoryKiB: apportion(part.memoryKiB, isAnywhere(bound) ? bound : milliVcpus), milliVcpus };
}

function nodesPerCell(nodes: readonly number[], host: HostCapabilities, notes: Set<string>): PerCell {
  const unknown = nodes.filter((node) => !host.cells.some(({ id }) => id === node));
  if (unknown.length > 0) notes.add(`the host has no cell ${unknown.slice(0, 10).join(', ')}`);
  return host.cells.map(({ id }) => (nodes.includes(id) ? 1 : 0));
}

function cpusPerCell(cpuset: string, host: HostCapabilities, notes: Set<string>): PerCell {
  const cpus = new Set(readIdSet(cpuset));
  if (cpus.size === 0) notes.add(`the pins of vCPUs cannot be read: '${ownText(cpuset)}'`);
  const perCell = host.cells.map(({ cpuIds }) => cpuIds.filter((id) => cpus.has(id)).length);
  if (cpus.size > 0 && !isAnywhere(perCell)) notes.add(`the host has no CPU ${ownText(cpuset)}`);
  return perCell;
}

function isAnywhere(perCell: PerCell): boolean {
  return perCell.some((amount) => amount > 0);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
