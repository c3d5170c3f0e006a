import { array, assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { median, summarizeSamples } from './sample-summary.ts';

describe('median', () => {
  it.each([
    { samples: [3], middle: 3 },
    { samples: [9, 1, 5], middle: 5 },
    { samples: [10, 9, 2, 1], middle: 5.5 },
    { samples: [100, 1, 1, 1, 1], middle: 1 },
  ])('of $samples is $middle', ({ samples, middle }) => {
    expect(median(samples)).toBe(middle);
  });

  it('refuses to make up a value for no samples', () => {
    expect(() => median([])).toThrow('no samples');
  });

  it('has as many samples below as above, in whatever order they come', () => {
    assert(
      property(array(integer(), { minLength: 1 }), (samples) => {
        const middle = median(samples);
        const below = samples.filter((sample) => sample < middle).length;
        const above = samples.filter((sample) => sample > middle).length;

        expect(Math.max(below, above)).toBeLessThanOrEqual(samples.length / 2);
      }),
    );
  });
});

describe('summarizeSamples', () => {
  it('gives the spread as a fraction of the median', () => {
    expect(summarizeSamples([90, 100, 130])).toEqual({ median: 100, spread: 0.2 });
  });

  it('is undefined without samples and calm about zeros', () => {
    expect(summarizeSamples([])).toBeUndefined();
    expect(summarizeSamples([0, 0])).toEqual({ median: 0, spread: 0 });
  });
});
