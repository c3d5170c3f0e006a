/** What several samples of one quantity come to. */
export interface SampleSummary {
  readonly median: number;
  /** Half the distance between the smallest and the largest sample, as a fraction of the median. */
  readonly spread: number;
}

/** The middle sample, or the mean of the two in the middle. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (lower === undefined || upper === undefined) throw new RangeError('no samples');
  return (lower + upper) / 2;
}

/** Median and spread; undefined without samples. */
export function summarizeSamples(samples: readonly number[]): SampleSummary | undefined {
  if (samples.length === 0) return undefined;
  const middle = median(samples);
  const reach = (Math.max(...samples) - Math.min(...samples)) / 2;
  return { median: middle, spread: middle === 0 ? 0 : reach / middle };
}
