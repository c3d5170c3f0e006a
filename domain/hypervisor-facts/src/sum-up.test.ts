import { parseQuantity, quantityValue } from '@smalt/quantity';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { CellUse, DomainUse } from './domain-use.ts';
import type { HostCapabilities } from './host-capabilities.ts';
import { type ResourceSums, sumUp } from './sum-up.ts';

const GIB = 1024 ** 2;

describe('sumUp', () => {
  it('gives totals and cells in their formats, cells in ascending order', () => {
    const host = hostOf([64 * GIB, 16], [64 * GIB, 16]);
    const domains = [domain(4, 6, [use(1, 4, 6)]), domain(2, 3, [])];

    expect(sumUp({ host, domains })).toEqual({
      fields: {
        allocation: { memory: '6Gi', cpu: '9' },
        capacity: { memory: '128Gi', cpu: '32' },
        effectiveCapacity: { memory: '128Gi', cpu: '32' },
        cells: [
          {
            cellID: 0,
            allocation: { memory: '0', cpu: '0' },
            capacity: { memory: '64Gi', cpu: '16' },
            effectiveCapacity: { memory: '64Gi', cpu: '16' },
          },
          {
            cellID: 1,
            allocation: { memory: '4Gi', cpu: '6' },
            capacity: { memory: '64Gi', cpu: '16' },
            effectiveCapacity: { memory: '64Gi', cpu: '16' },
          },
        ],
      },
      notes: [],
    });
  });

  it.each([
    { kib: 25_149_440, cpus: 6, memory: '24560Mi', cpu: '6' },
    { kib: 4_227_289_164, cpus: 256, memory: '4227289164Ki', cpu: '256' },
    { kib: 2048 * GIB, cpus: 1000, memory: '2Ti', cpu: '1k' },
    { kib: 0, cpus: 0, memory: '0', cpu: '0' },
  ])('writes $kib KiB as $memory', ({ kib, cpus, memory, cpu }) => {
    expect(sumUp({ host: hostOf([kib, cpus]), domains: [] }).fields.capacity).toEqual({ memory, cpu });
  });

  it.each([
    { name: 'nothing set', overcommit: undefined, memory: '64Gi', cpu: '16' },
    { name: 'memory 1.5', overcommit: { memory: 1.5 }, memory: '96Gi', cpu: '16' },
    { name: 'cpu 4', overcommit: { cpu: 4 }, memory: '64Gi', cpu: '64' },
    { name: 'both', overcommit: { cpu: 2, memory: 1 }, memory: '64Gi', cpu: '32' },
  ])('multiplies capacity with $name', ({ overcommit, memory, cpu }) => {
    const { fields } = sumUp({ host: hostOf([64 * GIB, 16]), domains: [], overcommit });

    expect(fields.effectiveCapacity).toEqual({ memory, cpu });
    expect(fields.capacity).toEqual({ memory: '64Gi', cpu: '16' });
  });

  it.each([
    { cpus: 11, ratio: 1.5, cpu: '16' },
    { cpus: 3, ratio: 1.9, cpu: '5' },
  ])('cuts fractions off: $cpus times $ratio', ({ cpus, ratio, cpu }) => {
    const { fields } = sumUp({ host: hostOf([1, cpus]), domains: [], overcommit: { cpu: ratio } });

    expect(fields.effectiveCapacity).toMatchObject({ cpu });
  });

  it('cuts fractions off for each cell and for the total on their own', () => {
    const { fields } = sumUp({ host: hostOf([1, 3], [1, 3]), domains: [], overcommit: { cpu: 1.5 } });

    expect(fields.cells.map(({ effectiveCapacity }) => effectiveCapacity?.['cpu'])).toEqual(['4', '4']);
    expect(fields.effectiveCapacity['cpu']).toBe('9');
  });

  it.each([
    { overcommit: { cpu: 0.5 }, note: 'overcommit: 0.5 for cpu is ignored; it must be 1 or more' },
    { overcommit: { memory: Number.NaN }, note: 'overcommit: NaN for memory is ignored; it must be 1 or more' },
    { overcommit: { memory: Infinity }, note: 'overcommit: Infinity for memory is ignored; it must be 1 or more' },
    { overcommit: { ram: 2 }, note: "overcommit: there is no resource 'ram'" },
  ])('ignores $overcommit with a note', ({ overcommit, note }) => {
    const { fields, notes } = sumUp({ host: hostOf([64 * GIB, 16]), domains: [], overcommit });

    expect(fields.effectiveCapacity).toEqual({ memory: '64Gi', cpu: '16' });
    expect(notes).toEqual([note]);
  });

  it('counts a domain that was read on other hardware in the totals alone', () => {
    const { fields } = sumUp({ host: hostOf([GIB, 2]), domains: [domain(1, 1, [use(7, 1, 1)])] });

    expect(fields).toMatchObject({ allocation: { memory: '1Gi', cpu: '1' }, cells: [{ allocation: { cpu: '0' } }] });
  });

  it('gives whole vCPUs to cells though domains share them, without a liking for the first cell', () => {
    const half = domain(2, 1, [use(0, 1, 0.5), use(1, 1, 0.5)]);

    const { fields } = sumUp({ host: hostOf([GIB, 2], [GIB, 2]), domains: [half, half, half, half] });

    expect(fields.cells.map(({ allocation }) => allocation?.['cpu'])).toEqual(['2', '2']);
  });

  it('has in its cells all that has a place, for any domains in any order', () => {
    const cells = fc.uniqueArray(
      fc.record({ cellId: fc.nat({ max: 3 }), memoryKiB: fc.nat(), milliVcpus: fc.nat({ max: 9999 }) }),
      {
        selector: ({ cellId }) => cellId,
      },
    );
    const uses = fc
      .tuple(cells, fc.nat(), fc.nat({ max: 64 }))
      .map(([placed, memory, vcpus]) => wholeDomain(placed, memory, vcpus));
    const lists = fc
      .array(uses)
      .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
    const host = hostOf([GIB, 4], [GIB, 4], [GIB, 4], [GIB, 4]);

    fc.assert(
      fc.property(lists, ([list, shuffled]) => {
        const { fields } = sumUp({ host, domains: list });

        const places = list.flatMap(({ cells: own }) => own);
        const unplaced = list.flatMap(({ memoryKiB, vcpus, cells: own }) => ({
          memoryKiB: memoryKiB - total(own.map((cell) => cell.memoryKiB)),
          vcpus: vcpus - total(own.map((cell) => cell.milliVcpus)) / 1000,
        }));
        expect(inCells(fields, 'cpu')).toBe(total(places.map(({ milliVcpus }) => milliVcpus)) / 1000);
        expect(inCells(fields, 'cpu') + total(unplaced.map(({ vcpus }) => vcpus))).toBe(
          amount(fields.allocation['cpu']),
        );
        expect(inCells(fields, 'memory') + total(unplaced.map(({ memoryKiB }) => memoryKiB * 1024))).toBe(
          amount(fields.allocation['memory']),
        );
        expect(sumUp({ host, domains: shuffled })).toEqual(sumUp({ host, domains: list }));
      }),
    );
  });
});

function hostOf(...cells: readonly (readonly [memoryKiB: number, cpus: number])[]): HostCapabilities {
  return {
    cpuArch: 'x86_64',
    cells: cells.map(([memoryKiB, cpus], id) => ({ id, memoryKiB, cpus, cpuIds: [] })),
    notes: [],
  };
}

function domain(memoryGiB: number, vcpus: number, cells: readonly CellUse[]): DomainUse {
  return { memoryKiB: memoryGiB * GIB, vcpus, cells, notes: [] };
}

function use(cellId: number, memoryGiB: number, vcpus: number): CellUse {
  return { cellId, memoryKiB: memoryGiB * GIB, milliVcpus: vcpus * 1000 };
}

// What has a place adds up to whole vCPUs in each domain, as placing sees to.
function wholeDomain(cells: readonly CellUse[], unplacedKiB: number, unplacedVcpus: number): DomainUse {
  const milli = cells.reduce((sum, { milliVcpus }) => sum + milliVcpus, 0);
  const [first, ...others] = cells;
  const whole = first ? [{ ...first, milliVcpus: first.milliVcpus + ((1000 - (milli % 1000)) % 1000) }, ...others] : [];
  return {
    memoryKiB: unplacedKiB + cells.reduce((sum, { memoryKiB }) => sum + memoryKiB, 0),
    vcpus: unplacedVcpus + Math.ceil(milli / 1000),
    cells: whole,
    notes: [],
  };
}

function inCells({ cells }: ResourceSums['fields'], resource: string): number {
  return total(cells.map(({ allocation }) => amount(allocation?.[resource])));
}

function amount(quantity: number | string | undefined): number {
  return Number(quantityValue(parseQuantity(String(quantity))));
}

function total(amounts: readonly number[]): number {
  return amounts.reduce((sum, each) => sum + each, 0);
}
