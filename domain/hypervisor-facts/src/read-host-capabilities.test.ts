import { readFileSync } from 'node:fs';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isUnreadable } from './error.ts';
import { readHostCapabilities } from './read-host-capabilities.ts';

const fourSockets = readFileSync(new URL('../fixtures/host-four-sockets.xml', import.meta.url), 'utf8');

describe('readHostCapabilities', () => {
  it('reads a host with four sockets and 256 CPUs', () => {
    const host = readHostCapabilities(fourSockets);

    expect(host).toMatchObject({ cpuArch: 'x86_64', notes: [] });
    expect(host.cells.map(({ id, memoryKiB, cpus }) => [id, memoryKiB, cpus])).toEqual([
      [0, 1_056_462_864, 64],
      [1, 1_056_946_772, 64],
      [2, 1_056_946_772, 64],
      [3, 1_056_932_756, 64],
    ]);
    expect(host.cells[1]?.cpuIds).toEqual([...range(32, 63), ...range(160, 191)]);
  });

  it('puts cells in order, whatever order libvirt lists them in', () => {
    const host = readHostCapabilities(capabilities(cell(2), cell(0), cell(1)));

    expect(host.cells.map(({ id }) => id)).toEqual([0, 1, 2]);
  });

  it('takes a host without cells for one cell with all there is', () => {
    const xml = '<capabilities><host><cpu><arch>aarch64</arch></cpu></host></capabilities>';

    expect(readHostCapabilities(xml, { memoryKiB: 3_145_728, cpus: 16 })).toEqual({
      cpuArch: 'aarch64',
      cells: [{ id: 0, memoryKiB: 3_145_728, cpus: 16, cpuIds: [] }],
      notes: [],
    });
  });

  it('counts the CPUs itself where their number is not told', () => {
    const xml = capabilities(`<cell id='0'><memory>4</memory><cpus><cpu id='0'/><cpu id='5'/></cpus></cell>`);

    expect(readHostCapabilities(xml).cells).toEqual([{ id: 0, memoryKiB: 4, cpus: 2, cpuIds: [0, 5] }]);
  });

  it('counts a cell that has memory alone', () => {
    const xml = capabilities(cell(0), `<cell id='1'><memory unit='GiB'>1</memory><cpus num='0'/></cell>`);

    expect(readHostCapabilities(xml).cells[1]).toEqual({ id: 1, memoryKiB: 1_048_576, cpus: 0, cpuIds: [] });
  });

  it.each([
    { odd: `<cell id='1'><memory unit='pages'>4</memory></cell>`, note: /memory of cell 1 .*unit 'pages'/ },
    { odd: `<cell id='1'/>`, note: /memory of cell 1 .*unit none/ },
    { odd: `<cell id='one'><memory>4</memory></cell>`, note: /the id 'one'/ },
    { odd: cell(0), note: /two cells 0/ },
  ])('goes on with the other cells after $odd', ({ odd, note }) => {
    const host = readHostCapabilities(capabilities(cell(0), odd));

    expect(host.cells[0]).toMatchObject({ id: 0, memoryKiB: 1024, cpus: 1 });
    expect(host.notes).toEqual([expect.stringMatching(note)]);
  });

  it.each(['', '<capabilities', '<domain/>', '<capabilities/>'])('learns nothing from "%s" alone', (xml) => {
    const read = (): unknown => readHostCapabilities(xml);

    expect(read).toThrow(expect.objectContaining({ code: 'unreadable-capabilities' }));
  });

  it.each(['', '<capabilities', '<domain/>'])('falls back to the totals with a note when it gets "%s"', (xml) => {
    const host = readHostCapabilities(xml, { memoryKiB: 8, cpus: 2 });

    expect(host).toMatchObject({ cpuArch: 'unknown', cells: [{ id: 0, memoryKiB: 8, cpus: 2 }] });
    expect(host.notes).toHaveLength(1);
  });

  it('throws nothing else, whatever becomes of the text', () => {
    fc.assert(
      fc.property(fc.nat({ max: fourSockets.length }), fc.nat({ max: 4000 }), fc.string(), (at, length, other) => {
        const xml = fourSockets.slice(0, at) + other + fourSockets.slice(at + length);

        const error = thrownBy(() => readHostCapabilities(xml));

        expect(error === undefined || isUnreadable(error)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

function capabilities(...cells: readonly string[]): string {
  const topology = `<topology><cells num='${cells.length}'>${cells.join('')}</cells></topology>`;
  return `<capabilities><host><cpu><arch>x86_64</arch></cpu>${topology}</host></capabilities>`;
}

function cell(id: number): string {
  return `<cell id='${id}'><memory unit='KiB'>1024</memory><cpus num='1'><cpu id='${id}'/></cpus></cell>`;
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function thrownBy(act: () => unknown): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return error;
  }
}
