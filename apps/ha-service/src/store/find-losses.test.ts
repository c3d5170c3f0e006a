import { describe, expect, it } from 'vitest';

import { findLosses } from './find-losses.ts';
import { batch, event, gap } from './fixtures/contract-case.ts';

const TIME = '2026-01-02T03:04:05.678Z';

describe('findLosses', () => {
  it.each([
    { what: 'the next numbers', known: 2, records: [event(3), event(4)], losses: [] },
    { what: 'numbers that are known', known: 4, records: [event(3), event(4)], losses: [] },
    { what: 'numbers that were left out', known: 2, records: [event(6)], losses: [loss('unexplained', 3, 5)] },
    { what: 'a gap', known: 2, records: [gap(3, 6), event(7)], losses: [loss('queue-full', 4, 6)] },
    {
      what: 'a gap that begins below what is known',
      known: 4,
      records: [gap(3, 6)],
      losses: [loss('queue-full', 2, 6)],
    },
    { what: 'two gaps', known: 0, records: [gap(1, 2), gap(3, 5)], losses: [loss('queue-full', 5, 5)] },
    { what: 'a gap that is known', known: 6, records: [gap(3, 6)], losses: [] },
    { what: 'missed events', known: 2, records: [event(3), missed(4)], losses: [loss('libvirt-lost', 1, 4)] },
  ])('tells of $what what there is to tell', ({ known, records, losses }) => {
    const fresh = records.filter(({ sequence }) => sequence > known);

    expect(findLosses(batch('n1', records), fresh, known)).toEqual(losses);
  });
});

function loss(reason: string, count: number, through: number): object {
  return { host: 'n1', reason, count, through };
}

function missed(sequence: number) {
  return { sequence, kind: 'missed', reason: 'libvirt-lost', time: TIME } as const;
}
