import { attribute, children, find, findAll, parseXml, valueAt, type XmlElement } from '@smalt/xml';

import { HypervisorFactsError } from './error.ts';
import type { HostCapabilities, HostCell } from './host-capabilities.ts';
import { ownText } from './own-text.ts';
import { readCount } from './read-count.ts';
import { readMemoryOf } from './read-memory.ts';

/** What the host has in all, as `nodeGetInfo` tells it. */
export interface HostTotals {
  readonly memoryKiB: number;
  readonly cpus: number;
}

/**
 * Reads the capabilities of a host. A host that tells of no cells is taken for one cell, number 0, with all there is by
 * `totals`. Throws `unreadable-capabilities` if there are neither cells nor totals.
 */
export function readHostCapabilities(xml: string, totals?: HostTotals): HostCapabilities {
  const notes: string[] = [];
  const root = readRoot(xml, totals, notes);
  const cpuArch = ownText(root && valueAt(root, 'host/cpu/arch')) || 'unknown';

  const cells = root ? readCells(root, notes) : [];
  if (cells.length > 0) return { cpuArch, cells, notes };
  if (!totals) throw new HypervisorFactsError('unreadable-capabilities', 'the capabilities tell of no NUMA cells');
  return { cpuArch, cells: [{ id: 0, ...totals, cpuIds: [] }], notes };
}

function readRoot(xml: string, totals: HostTotals | undefined, notes: string[]): XmlElement | undefined {
  try {
    const { root } = parseXml(xml);
    if (root.name === 'capabilities') return root;
    notes.push(`capabilities: the document is a ${ownText(root.name)}`);
  } catch (error) {
    if (!totals) throw unreadable(error);
    notes.push(`capabilities: ${ownText(String(error))}`);
  }
  return undefined;
}

function unreadable(cause: unknown): HypervisorFactsError {
  const message = `the capabilities cannot be read: ${ownText(String(cause))}`;
  return new HypervisorFactsError('unreadable-capabilities', message, { cause });
}

function readCells(root: XmlElement, notes: string[]): readonly HostCell[] {
  const cells = new Map<number, HostCell>();
  for (const element of findAll(root, 'host/topology/cells/cell')) {
    const id = readCount(attribute(element, 'id'));
    if (id === undefined) notes.push(`capabilities: a cell has the id ${quoted(attribute(element, 'id'))}`);
    else if (cells.has(id)) notes.push(`capabilities: there are two cells ${id}; the second does not count`);
    else cells.set(id, readCell(id, element, notes));
  }
  return [...cells.values()].toSorted((left, right) => left.id - right.id);
}

function readCell(id: number, element: XmlElement, notes: string[]): HostCell {
  const memory = find(element, 'memory');
  const memoryKiB = memory && readMemoryOf(memory);
  if (memoryKiB === undefined) {
    notes.push(
      `capabilities: the memory of cell ${id} cannot be read (unit ${quoted(valueAt(element, 'memory/@unit'))})`,
    );
  }

  const cpus = find(element, 'cpus');
  const cpuIds = (cpus ? children(cpus, 'cpu') : []).flatMap((cpu) => readCount(attribute(cpu, 'id')) ?? []);
  const count = readCount(cpus && attribute(cpus, 'num')) ?? cpuIds.length;
  return { id, memoryKiB: memoryKiB ?? 0, cpus: count, cpuIds };
}

function quoted(text: string | undefined): string {
  return text === undefined ? 'none' : `'${ownText(text)}'`;
}
