import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { HostProcessor } from './host-processor.ts';
import { takeProcessors } from './take-processors.ts';

describe('takeProcessors', () => {
  it.each([
    { what: 'whole cores first', cells: 1, cores: 3, free: [1, 2, 3, 4, 5], count: 2, taken: [2, 3] },
    { what: 'a broken core for what is over', cells: 1, cores: 3, free: [1, 2, 3, 4, 5], count: 3, taken: [1, 2, 3] },
    { what: 'a new core when none is broken', cells: 1, cores: 2, free: [0, 1, 2, 3], count: 1, taken: [0] },
    { what: 'the fullest cell that is enough', cells: 2, cores: 2, free: [0, 1, 2, 3, 4, 5], count: 2, taken: [4, 5] },
    {
      what: 'the emptiest cells when none is enough',
      cells: 2,
      cores: 2,
      free: [1, 4, 5, 6, 7],
      count: 5,
      taken: [1, 4, 5, 6, 7],
    },
    { what: 'nothing when there are too few', cells: 1, cores: 2, free: [1, 2], count: 3, taken: undefined },
  ])('takes $what', ({ cells, cores, free, count, taken }) => {
    expect(takeProcessors(machine({ cells, cores, threads: 2 }), new Set(free), count)).toEqual(taken);
  });

  it('never gives a processor to two pods, and always gives what is there', () => {
    const shape = fc.record({
      cells: fc.integer({ min: 1, max: 3 }),
      cores: fc.integer({ min: 1, max: 4 }),
      threads: fc.integer({ min: 1, max: 2 }),
    });
    fc.assert(
      fc.property(shape, fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 12 }), (form, requests) => {
        const all = machine(form);
        const free = new Set(all.map(({ id }) => id));
        for (const count of requests) {
          const taken = takeProcessors(all, free, count);

          expect(taken?.length).toBe(count <= free.size ? count : undefined);
          for (const id of taken ?? []) expect(free.delete(id)).toBe(true);
        }
      }),
    );
  });
});

interface Form {
  readonly cells: number;
  readonly cores: number;
  readonly threads: number;
}

/** Cells of so many cores of so many threads, numbered one after the other. */
function machine({ cells, cores, threads }: Form): readonly HostProcessor[] {
  return Array.from({ length: cells * cores * threads }, (_, id) => ({
    id,
    core: id - (id % threads),
    cell: Math.floor(id / (cores * threads)),
  }));
}
