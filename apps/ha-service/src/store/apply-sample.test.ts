import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { applySample, type SignalTimes, type TimedSample } from './apply-sample.ts';

describe('applySample', () => {
  it.each([
    { known: undefined, sample: alive(5), after: times(5) },
    { known: undefined, sample: dead(5), after: times(null, 5, 5) },
    { known: times(5), sample: alive(5), after: undefined },
    { known: times(5), sample: alive(4), after: undefined },
    { known: times(5), sample: dead(5), after: undefined },
    { known: times(5), sample: dead(6), after: times(5, 6, 6) },
    { known: times(5, 6, 6), sample: dead(8), after: times(5, 6, 8) },
    { known: times(5, 6, 8), sample: dead(7), after: undefined },
    { known: times(5, 6, 8), sample: alive(8), after: times(8) },
    { known: times(5, 6, 8), sample: alive(9), after: times(9) },
    { known: times(1, 6, 8), sample: alive(7), after: times(7, 8, 8) },
    { known: times(1, 6, 8), sample: alive(5), after: times(5, 6, 8) },
  ])('turns $known and $sample into $after', ({ known, sample, after }) => {
    expect(applySample(known, sample)).toEqual(after);
  });

  it('never keeps a row of statements of death that a sign of life is in, whatever their order', () => {
    const samples = array(record({ kind: constantFrom('alive', 'dead'), at: integer({ min: 0, max: 20 }) }));

    assert(
      property(samples, (all: readonly TimedSample[]) => {
        const end = all.reduce<SignalTimes | undefined>(
          (known, sample) => applySample(known, sample) ?? known,
          undefined,
        );
        const lives = all.filter(({ kind }) => kind === 'alive').map(({ at }) => at);

        expect(end?.aliveAt ?? undefined).toBe(lives.length === 0 ? undefined : Math.max(...lives));
        const since = end?.deadSince ?? Number.POSITIVE_INFINITY;
        expect(lives.filter((at) => at >= since)).toEqual([]);
      }),
    );
  });
});

function alive(at: number): TimedSample {
  return { kind: 'alive', at };
}

function dead(at: number): TimedSample {
  return { kind: 'dead', at };
}

function times(aliveAt: number | null, deadSince: number | null = null, deadAt: number | null = null): SignalTimes {
  return { aliveAt, deadSince, deadAt };
}
