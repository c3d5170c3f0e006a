const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/** How long to wait before the next attempt: longer each time, and spread, so that many pages do not come at once. */
export function reconnectDelayMs(failures: number, random: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
  return Math.round(full * (0.5 + random / 2));
}
