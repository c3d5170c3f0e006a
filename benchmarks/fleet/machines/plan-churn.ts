export interface ChurnOptions {
  readonly machines: number;
  readonly seconds: number;
  /** The share of all machines that is restarted in a minute. */
  readonly restartsPerMinute: number;
}

/** A machine that is to be restarted, so long after the beginning. */
export interface Restart {
  readonly machine: number;
  readonly atMs: number;
}

/** Restarts at a steady pace of machines that are far from each other. At least one, so that none is never measured. */
export function planRestarts({ machines, seconds, restartsPerMinute }: ChurnOptions): readonly Restart[] {
  const count = Math.max(1, Math.round((machines * restartsPerMinute * seconds) / 60));
  return Array.from({ length: count }, (_, index) => ({
    machine: Math.floor((index * machines) / count),
    atMs: ((index + 0.5) * seconds * 1_000) / count,
  }));
}
