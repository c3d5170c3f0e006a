import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import type { CellUse } from './domain-use.ts';
import { readDomainUse } from './read-domain-use.ts';
import { readHostCapabilities } from './read-host-capabilities.ts';

const GIB = 1024 ** 2;
const capabilities = readFileSync(new URL('../fixtures/host-four-sockets.xml', import.meta.url), 'utf8');
const host = readHostCapabilities(capabilities);

describe('where vCPUs count', () => {
  it.each([
    { name: 'on the cell of their own pin', tuning: pins(0, 3, '64-66'), cells: [use(2, GIB, 4)] },
    {
      name: 'in part on each cell of a pin',
      tuning: pins(0, 3, '0,32,33,34'),
      cells: [use(0, GIB / 4, 1), use(1, 0.75 * GIB, 3)],
    },
    { name: 'without the excluded CPUs', tuning: pins(0, 3, '31-32,^31'), cells: [use(1, GIB, 4)] },
    { name: 'not at all where some are free to run anywhere', tuning: pins(0, 1, '0'), cells: [use(0, GIB, 2)] },
    {
      name: 'where their memory is, without pins',
      tuning: [`<numatune><memory mode='strict' nodeset='3'/></numatune>`],
      cells: [use(3, GIB, 4)],
    },
    {
      name: 'where the memory of their guest cell is, without pins',
      tuning: [
        `<numatune><memory nodeset='0'/><memnode cellid='1' nodeset='2'/></numatune>`,
        numa(`<cell id='0' cpus='0' memory='512' unit='MiB'/>`, `<cell id='1' cpus='1-3' memory='512' unit='MiB'/>`),
      ],
      cells: [use(0, GIB / 2, 1), use(2, GIB / 2, 3)],
    },
    {
      name: 'by their pins even if their memory is elsewhere',
      tuning: [...pins(0, 3, '0'), `<numatune><memory nodeset='1'/></numatune>`],
      cells: [use(0, 0, 4), use(1, GIB, 0)],
    },
  ])('$name', ({ tuning, cells }) => {
    expect(readDomainUse(domain({ tuning }), { host })).toMatchObject({ vcpus: 4, cells, notes: [] });
  });

  it('takes the CPUs of all vCPUs for those without a pin of their own', () => {
    const xml = domain({ vcpu: `<vcpu cpuset='32-63'>4</vcpu>`, tuning: pins(0, 0, '0') });

    expect(readDomainUse(xml, { host }).cells).toEqual([use(0, GIB / 4, 1), use(1, 0.75 * GIB, 3)]);
  });
});

it('places nothing on a host of which no cell is known, and finds nothing odd about that', () => {
  const xml = domain({ tuning: [...pins(0, 3, '0'), `<numatune><memory nodeset='1'/></numatune>`] });

  const found = readDomainUse(xml, { host: { ...host, cells: [] } });

  expect(found).toEqual({ memoryKiB: GIB, vcpus: 4, cells: [], notes: [] });
});

describe('where memory lies', () => {
  it.each(['strict', 'preferred', 'interleave', 'restrictive'])('on the nodes of the set, with the mode %s', (mode) => {
    const xml = domain({ tuning: [`<numatune><memory mode='${mode}' nodeset='0-3,^1'/></numatune>`] });

    const third = Math.floor(GIB / 3);
    expect(readDomainUse(xml, { host }).cells.map(({ cellId, memoryKiB }) => [cellId, memoryKiB])).toEqual([
      [0, third + 1],
      [2, third],
      [3, third],
    ]);
  });

  it('counts modules where they, their guest cell or the domain are bound to', () => {
    const modules = [
      `<memory model='dimm'><source><nodemask>3</nodemask></source><target><size unit='GiB'>1</size><node>0</node></target></memory>`,
      `<memory model='dimm'><target><size unit='GiB'>2</size><node>0</node></target></memory>`,
      `<memory model='virtio-mem'><target><size unit='MiB'>512</size></target></memory>`,
    ];
    const xml = domain({
      memoryGiB: 5,
      tuning: [
        `<numatune><memory nodeset='2'/><memnode cellid='0' nodeset='1'/></numatune>`,
        numa(`<cell id='0' cpus='0-3' memory='1536' unit='MiB'/>`),
        `<devices>${modules.join('')}</devices>`,
      ],
    });

    expect(readDomainUse(xml, { host })).toMatchObject({
      memoryKiB: 5 * GIB,
      cells: [use(1, 3.5 * GIB, 4), use(2, 0.5 * GIB, 0), use(3, GIB, 0)],
      notes: [],
    });
  });

  it('numbers guest cells without an id by their order', () => {
    const xml = domain({
      tuning: [
        `<numatune><memnode cellid='1' nodeset='2'/></numatune>`,
        numa(`<cell memory='1'/>`, `<cell memory='2'/>`),
      ],
    });

    expect(readDomainUse(xml, { host }).cells).toEqual([use(2, 2, 0)]);
  });
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
