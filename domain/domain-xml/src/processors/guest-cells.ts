import type { NodeCell } from '../domain-context.ts';
import type { DomainInput } from '../domain-step.ts';
import { guestMemoryOf } from '../shape/guest-memory.ts';
import { topologyOf } from '../shape/processor-topology.ts';
import { pinningOf } from './pinning-of.ts';

/** A NUMA cell of the guest. */
export interface GuestCell {
  readonly id: number;
  readonly cpus: readonly number[];
  readonly memoryBytes: bigint;
  /** The cell of the host that its memory comes from, if that is fixed. */
  readonly hostCell: number | undefined;
  readonly distances: readonly { readonly id: number; readonly value: number }[];
}

const MEBIBYTE = 1_048_576n;

/** The NUMA cells of the guest: those of the host that it runs on, or a single one where libvirt needs one. */
export function guestCellsOf(input: DomainInput): readonly GuestCell[] {
  const { instance, context } = input;
  const { guestBytes, maxBytes, hugepageBytes } = guestMemoryOf(instance);
  const pinning = instance.spec.domain.cpu?.numa?.guestMappingPassthrough && pinningOf(input);
  if (pinning) {
    const hostCells = [...new Set(pinning.processors.map(({ cell }) => cell))];
    const shares = splitMemory(guestBytes, hostCells.length, hugepageBytes ?? 2n * MEBIBYTE);
    return hostCells.map((hostCell, id) => ({
      id,
      cpus: pinning.processors.filter(({ cell }) => cell === hostCell).map(({ virtual }) => virtual),
      memoryBytes: shares[id] ?? 0n,
      hostCell,
      distances: distancesOf(context.node.cells, hostCells, hostCell),
    }));
  }
  const isShared = (instance.spec.domain.devices.filesystems ?? []).length > 0;
  if (hugepageBytes === undefined && maxBytes === undefined && !isShared) return [];
  const cpus = Array.from({ length: topologyOf(instance).maxCount }, (_, index) => index);
  return [{ id: 0, cpus, memoryBytes: guestBytes, hostCell: undefined, distances: [] }];
}

/** Equal shares in whole pages; the first ones get what is left over. */
export function splitMemory(bytes: bigint, parts: number, pageBytes: bigint): readonly bigint[] {
  const pages = bytes / pageBytes;
  const count = BigInt(parts);
  return Array.from({ length: parts }, (_, index) => {
    const extraPage = BigInt(index) < pages % count ? 1n : 0n;
    const extraBytes = index === 0 ? bytes % pageBytes : 0n;
    return (pages / count + extraPage) * pageBytes + extraBytes;
  });
}

function distancesOf(
  cells: readonly NodeCell[],
  hostCells: readonly number[],
  hostCell: number,
): GuestCell['distances'] {
  const known = cells.find(({ id }) => id === hostCell)?.distances ?? [];
  return hostCells.flatMap((other, id) => {
    const found = known.find(({ cell }) => cell === other);
    return found ? [{ id, value: found.distance }] : [];
  });
}
