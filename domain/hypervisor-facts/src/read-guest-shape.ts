import { attribute, child, findAll, textContent, valueAt, type XmlElement } from '@smalt/xml';

import { apportion } from './apportion.ts';
import type { DomainTotals } from './domain-use.ts';
import type { GuestPart, GuestShape } from './guest-part.ts';
import { ownText } from './own-text.ts';
import { readGuestVcpus, type GuestVcpus, groupVcpus } from './read-guest-vcpus.ts';
import { readCount } from './read-count.ts';
import { readIdSet } from './read-id-set.ts';
import { readMemoryKiB, readMemoryOf } from './read-memory.ts';

/** Where the memory of a guest comes from: per guest cell, and for what belongs to none. */
interface MemoryNodes {
  readonly byCell: ReadonlyMap<number, readonly number[]>;
  readonly others: readonly number[];
}

/** Reads a domain as far as memory, vCPUs and their places go. `totals` stand in for what it does not tell. */
export function readGuestShape(root: XmlElement, totals: DomainTotals | undefined, notes: Set<string>): GuestShape {
  const nodes = readMemoryNodes(root, notes);
  const vcpus = readGuestVcpus(root, totals?.vcpus, notes);
  const cells = readGuestCells(root, { nodes, vcpus, notes });
  const modules = findAll(root, 'devices/memory').map((module) => readModule(module, nodes, notes));
  const parts = [...cells.parts, ...modules];

  const claimed = parts.reduce((sum, part) => sum + part.memoryKiB, 0);
  const memoryKiB = readTotal(root, totals, notes) ?? claimed;
  if (claimed > memoryKiB) notes.add('the cells and modules have more memory than the domain');
  const elsewhere = vcpus.online.filter((id) => !cells.vcpuIds.has(id));
  const rest = { memoryKiB: 0, nodes: nodes.others, vcpus: groupVcpus(elsewhere, vcpus) };
  return { memoryKiB, vcpus: vcpus.online.length, parts: addUp(parts, rest, memoryKiB) };
}

function readTotal(root: XmlElement, totals: DomainTotals | undefined, notes: Set<string>): number | undefined {
  const element = child(root, 'memory');
  const memoryKiB = element && readMemoryOf(element);
  if (memoryKiB !== undefined) return memoryKiB;
  notes.add(element ? `<memory> cannot be read: ${described(element)}` : '<memory> is missing');
  return totals?.memoryKiB;
}

function described(element: XmlElement): string {
  const unit = attribute(element, 'unit');
  return `'${ownText(textContent(element))}'${unit === undefined ? '' : `, unit '${ownText(unit)}'`}`;
}

// <memory> is right when the parts claim more than there is; what they do not claim is the rest's.
function addUp(parts: readonly GuestPart[], rest: GuestPart, memoryKiB: number): readonly GuestPart[] {
  const sizes = parts.map((part) => part.memoryKiB);
  const claimed = sizes.reduce((sum, size) => sum + size, 0);
  if (claimed <= memoryKiB) return [...parts, { ...rest, memoryKiB: memoryKiB - claimed }];
  const fitting = apportion(memoryKiB, sizes);
  return [...parts.map((part, index) => ({ ...part, memoryKiB: fitting[index] ?? 0 })), rest];
}

function readMemoryNodes(root: XmlElement, notes: Set<string>): MemoryNodes {
  const byCell = new Map<number, readonly number[]>();
  for (const memnode of findAll(root, 'numatune/memnode')) {
    const cell = readCount(attribute(memnode, 'cellid'));
    const nodes = readNodes(attribute(memnode, 'nodeset'), 'numatune/memnode', notes);
    if (cell !== undefined && nodes.length > 0) byCell.set(cell, nodes);
    if (cell === undefined) notes.add('a <memnode> names no cell');
  }
  return { byCell, others: readNodes(valueAt(root, 'numatune/memory/@nodeset'), 'numatune/memory', notes) };
}

function readNodes(nodeset: string | undefined, owner: string, notes: Set<string>): readonly number[] {
  if (nodeset === undefined) return [];
  const nodes = readIdSet(nodeset);
  if (!nodes) notes.add(`the nodeset of ${owner} cannot be read: '${ownText(nodeset)}'`);
  return nodes ?? [];
}

interface Surroundings {
  readonly nodes: MemoryNodes;
  readonly vcpus: GuestVcpus;
  readonly notes: Set<string>;
}

function readGuestCells(
  root: XmlElement,
  { nodes, vcpus, notes }: Surroundings,
): { readonly parts: readonly GuestPart[]; readonly vcpuIds: ReadonlySet<number> } {
  const vcpuIds = new Set<number>();
  const parts = findAll(root, 'cpu/numa/cell').map((cell, index): GuestPart => {
    // libvirt numbers cells by their order where they carry no id.
    const id = readCount(attribute(cell, 'id')) ?? index;
    const cpus = attribute(cell, 'cpus');
    const claimed = new Set(readIdSet(cpus ?? ''));
    if (cpus !== undefined && claimed.size === 0) {
      notes.add(`the cpus of guest cell ${id} cannot be read: '${ownText(cpus)}'`);
    }
    const own = vcpus.online.filter((vcpu) => claimed.has(vcpu) && !vcpuIds.has(vcpu));
    for (const vcpu of own) vcpuIds.add(vcpu);

    const memoryKiB = readMemoryKiB(attribute(cell, 'memory') ?? '', attribute(cell, 'unit'));
    if (memoryKiB === undefined) notes.add(`the memory of guest cell ${id} cannot be read`);
    return { memoryKiB: memoryKiB ?? 0, nodes: nodes.byCell.get(id) ?? nodes.others, vcpus: groupVcpus(own, vcpus) };
  });
  return { parts, vcpuIds };
}

// <memory> of the domain includes its modules, the cells of the guest do not.
function readModule(module: XmlElement, nodes: MemoryNodes, notes: Set<string>): GuestPart {
  const target = child(module, 'target');
  const size = target && child(target, 'size');
  const memoryKiB = size && readMemoryOf(size);
  if (memoryKiB === undefined) notes.add('the size of a memory module cannot be read');

  const cell = readCount(target && valueAt(target, 'node'));
  const own = readNodes(valueAt(module, 'source/nodemask'), 'a memory module', notes);
  const inherited = (cell === undefined ? undefined : nodes.byCell.get(cell)) ?? nodes.others;
  return { memoryKiB: memoryKiB ?? 0, nodes: own.length > 0 ? own : inherited, vcpus: [] };
}
