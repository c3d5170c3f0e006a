import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { CellUse } from './domain-use.ts';
import type { HostCapabilities } from './host-capabilities.ts';
import { readDomainUse } from './read-domain-use.ts';
import { readHostCapabilities } from './read-host-capabilities.ts';

const GIB = 1024 ** 2;
const novaInstance = fixture('nova-instance');
const host = readHostCapabilities(fixture('host-four-sockets'));

describe('a domain of which all is well known', () => {
  it('lies where the host has it, not where the guest sees it', () => {
    // The guest calls its only cell 0; memnode@nodeset and the pins say host cell 1.
    expect(readDomainUse(novaInstance, { host })).toEqual({
      memoryKiB: 25_149_440,
      vcpus: 6,
      cells: [use(1, 25_149_440, 6)],
      notes: [],
    });
  });

  it('is counted by its vCPUs and memory when nothing is tuned', () => {
    expect(readDomainUse(fixture('plain-guest'), { host })).toEqual({
      memoryKiB: 2 * GIB,
      vcpus: 4,
      cells: [],
      notes: [],
    });
  });

  it('is in the only cell of a host that has but one, tuned or not', () => {
    const small: HostCapabilities = {
      cpuArch: 'x86_64',
      cells: [{ id: 0, memoryKiB: 8, cpus: 2, cpuIds: [] }],
      notes: [],
    };

    expect(readDomainUse(fixture('plain-guest'), { host: small }).cells).toEqual([use(0, 2 * GIB, 4)]);
    expect(readDomainUse(novaInstance, { host: small })).toMatchObject({ cells: [use(0, 25_149_440, 6)], notes: [] });
  });

  it('lies on two cells with what each of its own cells has', () => {
    const xml = domain({
      memoryGiB: 128,
      vcpus: 16,
      tuning: [
        ...pins(0, 7, '32-63,160-191'),
        ...pins(8, 15, '64-95,192-223'),
        `<numatune><memnode cellid='0' nodeset='1'/><memnode cellid='1' nodeset='2'/></numatune>`,
        numa(`<cell id='0' cpus='0-7' memory='64' unit='GiB'/>`, `<cell id='1' cpus='8-15' memory='64' unit='GiB'/>`),
      ],
    });

    expect(readDomainUse(xml, { host }).cells).toEqual([use(1, 64 * GIB, 8), use(2, 64 * GIB, 8)]);
  });

  it('keeps the real sizes of unequal cells', () => {
    const xml = domain({
      memoryGiB: 4,
      vcpus: 4,
      tuning: [
        `<numatune><memnode cellid='0' nodeset='3'/><memnode cellid='1' nodeset='0'/></numatune>`,
        numa(`<cell id='0' cpus='0' memory='1' unit='GiB'/>`, `<cell id='1' cpus='1-3' memory='3' unit='GiB'/>`),
      ],
    });

    expect(readDomainUse(xml, { host }).cells).toEqual([use(0, 3 * GIB, 3), use(3, GIB, 1)]);
  });
});

describe('the number of vCPUs', () => {
  it.each([
    { vcpu: `<vcpu>8</vcpu>`, count: 8 },
    { vcpu: `<vcpu current='2'>8</vcpu>`, count: 2 },
    { vcpu: `<vcpu current='8'>8</vcpu>`, count: 8 },
    { vcpu: `<vcpu placement='auto'>8</vcpu>`, count: 8 },
  ])('is that of the ones plugged in: $vcpu', ({ vcpu, count }) => {
    const xml = `<domain><memory>1024</memory>${vcpu}</domain>`;

    expect(readDomainUse(xml, { host })).toMatchObject({ vcpus: count, notes: [] });
  });

  it('leaves out the pins of those that are not plugged in', () => {
    const xml = domain({ vcpu: `<vcpu current='1'>2</vcpu>`, tuning: [...pins(0, 0, '0'), ...pins(1, 1, '32')] });

    expect(readDomainUse(xml, { host }).cells).toEqual([use(0, GIB, 1)]);
  });

  it('follows the list of vCPUs where they were not plugged in from the first one on', () => {
    const list = `<vcpus><vcpu id='0' enabled='yes'/><vcpu id='1' enabled='no'/><vcpu id='2' enabled='yes'/></vcpus>`;
    const xml = domain({
      vcpu: `<vcpu current='2'>3</vcpu>${list}`,
      tuning: [...pins(0, 0, '0'), ...pins(1, 1, '32'), ...pins(2, 2, '64')],
    });

    expect(readDomainUse(xml, { host }).cells).toEqual([use(0, GIB / 2, 1), use(2, GIB / 2, 1)]);
  });
});

describe('a domain with odd XML', () => {
  const totals = { memoryKiB: 4 * GIB, vcpus: 2 };

  it.each(['', '<domain', '<domain><vcpu>4</domain>', '<network/>', `${novaInstance}${novaInstance}`])(
    'is counted by what libvirt says in numbers when the XML is "%.24s"',
    (xml) => {
      const found = readDomainUse(xml, { host, totals });

      expect(found).toMatchObject({ ...totals, cells: [] });
      expect(found.notes).toHaveLength(1);
    },
  );

  it('counts for nothing when nobody knows anything', () => {
    expect(readDomainUse('', { host })).toMatchObject({ memoryKiB: 0, vcpus: 0, cells: [] });
  });

  it.each([
    {
      name: 'an unknown unit',
      xml: `<memory unit='pages'>4</memory><vcpu>4</vcpu>`,
      vcpus: 4,
      note: /'4', unit 'pages'/,
    },
    { name: 'no memory', xml: `<vcpu>4</vcpu>`, vcpus: 4, note: /<memory> is missing/ },
    { name: 'a word for memory', xml: `<memory>much</memory><vcpu>4</vcpu>`, vcpus: 4, note: /'much'/ },
    { name: 'no vCPUs', xml: `<memory unit='GiB'>4</memory>`, vcpus: 2, note: /<vcpu> is missing/ },
    { name: 'a word for vCPUs', xml: `<memory unit='GiB'>4</memory><vcpu>few</vcpu>`, vcpus: 2, note: /'few'/ },
    { name: 'a million vCPUs', xml: `<memory unit='GiB'>4</memory><vcpu>1000000</vcpu>`, vcpus: 2, note: /'1000000'/ },
    {
      name: 'more current vCPUs than there are',
      xml: `<memory unit='GiB'>4</memory><vcpu current='9'>4</vcpu>`,
      vcpus: 4,
      note: /'9'/,
    },
  ])('keeps what can be read beside $name', ({ xml, vcpus, note }) => {
    const found = readDomainUse(`<domain>${xml}</domain>`, { host, totals });

    expect(found).toMatchObject({ memoryKiB: 4 * GIB, vcpus });
    expect(found.notes).toEqual([expect.stringMatching(note)]);
  });

  it.each([
    { name: 'a node that the host lacks', tuning: [`<numatune><memory nodeset='7'/></numatune>`], note: /no cell 7/ },
    { name: 'a set that is none', tuning: [`<numatune><memory nodeset='a-b'/></numatune>`], note: /'a-b'/ },
    { name: 'CPUs that the host lacks', tuning: pins(0, 3, '900-901'), note: /no CPU 900-901/ },
    { name: 'pins that are none', tuning: pins(0, 3, '0-'), note: /pins .*'0-'/ },
    { name: 'a pin without CPUs', tuning: [`<cputune><vcpupin vcpu='0'/></cputune>`], note: /<vcpupin>/ },
    { name: 'a memnode without a cell', tuning: [`<numatune><memnode nodeset='1'/></numatune>`], note: /<memnode>/ },
    { name: 'a guest cell without memory', tuning: [numa(`<cell id='0' cpus='0-3'/>`)], note: /guest cell 0/ },
    {
      name: 'odd CPUs of a guest cell',
      tuning: [numa(`<cell id='0' cpus='x' memory='4'/>`)],
      note: /cpus of guest cell 0 .*'x'/,
    },
    { name: 'a module without a size', tuning: [`<devices><memory/></devices>`], note: /module/ },
  ])('counts in full but has no place because of $name', ({ tuning, note }) => {
    const found = readDomainUse(domain({ tuning }), { host });

    expect(found).toMatchObject({ memoryKiB: GIB, vcpus: 4, cells: [] });
    expect(found.notes).toEqual([expect.stringMatching(note)]);
  });

  it('divides its memory as its cells do when they claim more than it has', () => {
    const xml = domain({
      tuning: [
        `<numatune><memnode cellid='0' nodeset='0'/><memnode cellid='1' nodeset='1'/></numatune>`,
        numa(`<cell cpus='0-1' memory='3' unit='GiB'/>`, `<cell cpus='2-3' memory='1' unit='GiB'/>`),
      ],
    });

    expect(readDomainUse(xml, { host })).toMatchObject({
      memoryKiB: GIB,
      cells: [use(0, 0.75 * GIB, 2), use(1, 0.25 * GIB, 2)],
      notes: [expect.stringContaining('more memory than the domain')],
    });
  });

  it('adds up the guest cells when nobody knows the memory of all', () => {
    const xml = `<domain><vcpu>1</vcpu>${numa(`<cell memory='3'/>`, `<cell memory='4'/>`)}</domain>`;

    expect(readDomainUse(xml, { host }).memoryKiB).toBe(7);
  });

  it('never makes the reader throw, and never places more than there is', () => {
    const cut = fc.record({
      at: fc.nat({ max: novaInstance.length }),
      length: fc.nat({ max: 60 }),
      other: fc.string(),
    });

    fc.assert(
      fc.property(fc.array(cut, { minLength: 1, maxLength: 3 }), (cuts) => {
        const xml = cuts.reduce(
          (text, { at, length, other }) => text.slice(0, at) + other + text.slice(at + length),
          novaInstance,
        );

        const found = readDomainUse(xml, { host, totals });

        expect(total(found.cells.map(({ memoryKiB }) => memoryKiB))).toBeLessThanOrEqual(found.memoryKiB);
        expect(total(found.cells.map(({ milliVcpus }) => milliVcpus))).toBeLessThanOrEqual(found.vcpus * 1000);
      }),
      { numRuns: 300 },
    );
  });

  it('survives any value in any place that counts', () => {
    const word = fc.oneof(
      fc.constantFrom('', '-1', '0', '0-3,^1', '99999999999999999999', 'NaN', '^', 'KiB'),
      fc.stringMatching(/^[\w,^ -]*$/),
    );

    fc.assert(
      fc.property(fc.array(word, { minLength: 8, maxLength: 8 }), ([a, b, c, d, e, f, g, h]) => {
        const numatune = `<numatune><memory nodeset='${a}'/><memnode cellid='${b}' nodeset='${c}'/></numatune>`;
        const cells = numa(`<cell id='${d}' cpus='${e}' memory='${f}' unit='${g}'/>`);
        const xml = domain({
          vcpu: `<vcpu cpuset='${h}' current='${d}'>${b}</vcpu>`,
          tuning: [numatune, cells, ...pins(0, 1, a ?? '')],
        });

        const found = readDomainUse(xml, { host });

        expect(found.memoryKiB).toBe(GIB);
        expect(total(found.cells.map(({ milliVcpus }) => milliVcpus)) % 1000).toBe(0);
      }),
    );
  });
});

it('keeps nothing of the XML alive', () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const padding = `<metadata>${'x'.repeat(100_000)}</metadata>`;
  collect();
  const before = process.memoryUsage().heapUsed;

  const kept = Array.from({ length: 200 }, (_, index) =>
    readDomainUse(`<domain>${padding}<memory unit='a-very-strange-unit-${index}'>1</memory><vcpu>1</vcpu></domain>`, {
      host,
    }),
  );
  collect();

  expect(process.memoryUsage().heapUsed - before).toBeLessThan(kept.length * 20_000);
});

function domain(options: {
  readonly memoryGiB?: number;
  readonly vcpus?: number;
  readonly vcpu?: string;
  readonly tuning?: readonly string[];
}): string {
  const { memoryGiB = 1, vcpus = 4, vcpu = `<vcpu>${vcpus}</vcpu>`, tuning = [] } = options;
  return `<domain><memory unit='GiB'>${memoryGiB}</memory>${vcpu}${tuning.join('')}</domain>`;
}

function pins(first: number, last: number, cpuset: string): readonly string[] {
  return Array.from(
    { length: last - first + 1 },
    (_, index) => `<cputune><vcpupin vcpu='${first + index}' cpuset='${cpuset}'/></cputune>`,
  );
}

function numa(...cells: readonly string[]): string {
  return `<cpu><numa>${cells.join('')}</numa></cpu>`;
}

function use(cellId: number, memoryKiB: number, vcpus: number): CellUse {
  return { cellId, memoryKiB, milliVcpus: vcpus * 1000 };
}

function total(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

function fixture(name: string): string {
  return readFileSync(new URL(`../fixtures/${name}.xml`, import.meta.url), 'utf8');
}
