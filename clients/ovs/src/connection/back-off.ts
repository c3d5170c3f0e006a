/** How the pauses between attempts grow. */
export interface BackOffOptions {
  /** The pause after the first failure, 100 ms unless told. A connection that held for a while is made again at once. */
  readonly initialMs?: number;
  /** No pause is longer than this, 8 s unless told. */
  readonly maxMs?: number;
}

const DEFAULT_INITIAL_MS = 100;
const DEFAULT_MAX_MS = 8000;

/**
 * The pause after the `failures`-th failure in a row. Half of it is left to chance, so that all agents of a cluster do
 * not come back to its database at the same moment. `random` is from 0 to 1.
 */
export function backOffDelayMs(failures: number, options: BackOffOptions, random: number): number {
  const { initialMs = DEFAULT_INITIAL_MS, maxMs = DEFAULT_MAX_MS } = options;
  const full = Math.min(maxMs, initialMs * 2 ** (failures - 1));
  return Math.round(full / 2 + (full / 2) * random);
}
