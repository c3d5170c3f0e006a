import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { fakeHardwareTree } from './fake-hardware.ts';
import type { FakeHardware } from './fake-hardware.ts';

it('numbers threads as Linux does and tells who shares a core', () => {
  const tree = fakeHardwareTree({ cells: 2, coresPerCell: 2, threads: 2, memoryKiBPerCell: 4_194_304 });

  expect(Object.fromEntries(tree)).toMatchObject({
    'cpu/online': '0-7\n',
    'node/online': '0-1\n',
    'node/node0/cpulist': '0,4,1,5\n',
    'node/node1/cpulist': '2,6,3,7\n',
    'node/node1/cpumap': '000000cc\n',
    'node/node1/distance': '21 10\n',
    'cpu/cpu6/topology/thread_siblings_list': '2,6\n',
    'cpu/cpu6/topology/thread_siblings': '00000044\n',
    'cpu/cpu6/topology/physical_package_id': '1\n',
    'cpu/cpu6/topology/core_id': '0\n',
  });
});

it('takes huge pages out of what is free', () => {
  const tree = fakeHardwareTree({
    cells: 1,
    coresPerCell: 1,
    memoryKiBPerCell: 8_388_608,
    hugepagesPerCell: { '2MiB': 512, '1GiB': 2 },
  });

  expect(tree.get('node/node0/meminfo')).toContain(`MemFree:        ${8_388_608 - 4 * 1_048_576} kB`);
  expect(tree.get('node/node0/hugepages/hugepages-2048kB/free_hugepages')).toBe('512\n');
  expect(tree.get('node/node0/hugepages/hugepages-1048576kB/nr_hugepages')).toBe('2\n');
});

it('prints more than 32 processors in words, the last first', () => {
  const tree = fakeHardwareTree({ cells: 1, coresPerCell: 34, memoryKiBPerCell: 2_097_152 });

  expect(tree.get('node/node0/cpumap')).toBe('00000003,ffffffff\n');
  expect(tree.get('cpu/cpu33/topology/core_cpus')).toBe('00000002,00000000\n');
});

it('gives every processor to exactly one cell', () => {
  const small = fc.integer({ min: 1, max: 5 });
  fc.assert(
    fc.property(small, small, small, (cells, coresPerCell, threads) => {
      const tree = fakeHardwareTree({ cells, coresPerCell, threads, memoryKiBPerCell: 2_097_152 });

      const lists = [...tree].filter(([path]) => path.endsWith('/cpulist')).map(([, text]) => text.trim().split(','));

      expect(
        lists
          .flat()
          .map(Number)
          .toSorted((a, b) => a - b),
      ).toEqual([...Array(cells * coresPerCell * threads).keys()]);
    }),
  );
});

it.each<{ change: Partial<FakeHardware>; field: string }>([
  { change: { cells: 0 }, field: 'numa.cells' },
  { change: { coresPerCell: 1.5 }, field: 'numa.coresPerCell' },
  { change: { threads: -1 }, field: 'numa.threads' },
  { change: { memoryKiBPerCell: 1024 }, field: 'numa.memoryKiBPerCell' },
  { change: { hugepagesPerCell: { '1GiB': 100 } }, field: 'numa.memoryKiBPerCell' },
  { change: { hugepagesPerCell: { '2MiB': -1 } }, field: 'numa.hugepagesPerCell.2MiB' },
])('refuses $change by naming $field', ({ change, field }) => {
  const hardware = { cells: 1, coresPerCell: 1, memoryKiBPerCell: 2_097_152, ...change };

  expect(() => fakeHardwareTree(hardware)).toThrow(`${field}: `);
});
