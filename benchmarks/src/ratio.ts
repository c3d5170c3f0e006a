import type { Figure } from './benchmark.ts';

/** How many times our cost the peer's is; null unless both are known and ours is not zero. */
export function costRatio(peer: number | undefined, ours: number | undefined): Figure {
  if (peer === undefined || ours === undefined || ours <= 0) return null;
  return peer / ours;
}

/** The geometric mean, the fair mean of ratios; null if there are none or any is missing. */
export function meanRatio(ratios: readonly Figure[]): Figure {
  let sum = 0;
  for (const ratio of ratios) {
    if (ratio === null || ratio <= 0) return null;
    sum += Math.log(ratio);
  }
  return ratios.length === 0 ? null : Math.exp(sum / ratios.length);
}

/** Two decimals, as the figures are printed; null stays null. */
export function roundFigure(figure: Figure): Figure {
  return figure === null ? null : Math.round(figure * 100) / 100;
}
