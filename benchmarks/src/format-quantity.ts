/** A time in the unit that leaves one to three digits before the point: `143 µs`, `2.31 ms`. */
export function formatSeconds(seconds: number): string {
  if (seconds >= 1) return `${threeDigits(seconds)} s`;
  if (seconds >= 1e-3) return `${threeDigits(seconds * 1e3)} ms`;
  return `${threeDigits(seconds * 1e6)} µs`;
}

/** Operations per second: `812 /s`, `26.8 k/s`. */
export function formatRate(perSecond: number): string {
  return perSecond >= 1000 ? `${threeDigits(perSecond / 1000)} k/s` : `${threeDigits(perSecond)} /s`;
}

/** A size in MiB. */
export function formatMebibytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

/** A ratio with two decimals, or a dash. */
export function formatRatio(ratio: number | null): string {
  return ratio === null ? '–' : `${ratio.toFixed(2)}×`;
}

function threeDigits(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
