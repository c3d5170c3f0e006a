const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 15_000;

/** How long to wait after a write, so that a burst becomes one, and a slow server gets fewer. */
export function pauseMs(tookMs: number, shortestMs: number = SHORTEST_PAUSE_MS): number {
  return Math.min(LONGEST_PAUSE_MS, Math.max(shortestMs, tookMs));
}

/** How long to wait after so many failed writes in a row; `random`, from 0 to 1, spreads the agents of a fleet. */
export function backOffMs(failures: number, random: number): number {
  return Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** (failures - 1)) * (0.5 + random / 2);
}
