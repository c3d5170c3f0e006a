/** How the pauses between attempts grow. */
export interface BackOffOptions {
  /** The pause after the first failure, 100 ms unless told. */
  readonly initialMs?: number | undefined;
  /** No pause is longer than this, 10 s unless told. */
  readonly maxMs?: number | undefined;
}

const DEFAULT_INITIAL_MS = 100;
const DEFAULT_MAX_MS = 10_000;

/** The pause after the `failures`-th failure in a row, twice the one before. `random`, from 0 to 1, spreads half of it. */
export function backOffDelayMs(failures: number, options: BackOffOptions, random: number): number {
  const { initialMs = DEFAULT_INITIAL_MS, maxMs = DEFAULT_MAX_MS } = options;
  const full = Math.min(maxMs, initialMs * 2 ** (failures - 1));
  return Math.round(full / 2 + (full / 2) * random);
}
