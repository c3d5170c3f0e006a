/** How the pauses between attempts grow. */
export interface BackOffOptions {
  /** The pause after the first failure, 100 ms unless told. */
  readonly initialMs?: number;
  /** No pause is longer than this, 30 s unless told. */
  readonly maxMs?: number;
  /** How much longer each pause is than the one before, 2 unless told. */
  readonly factor?: number;
}

const DEFAULT_INITIAL_MS = 100;
const DEFAULT_MAX_MS = 30_000;
const DEFAULT_FACTOR = 2;

/**
 * The pause after the `failures`-th failure in a row. Half of it is left to chance, so that a thousand clients of one
 * daemon do not come back at the same moment. `random` is from 0 to 1.
 */
export function backOffDelayMs(failures: number, options: BackOffOptions, random: number): number {
  const { initialMs = DEFAULT_INITIAL_MS, maxMs = DEFAULT_MAX_MS, factor = DEFAULT_FACTOR } = options;
  const full = Math.min(maxMs, initialMs * factor ** (failures - 1));
  return Math.round(full / 2 + (full / 2) * random);
}
