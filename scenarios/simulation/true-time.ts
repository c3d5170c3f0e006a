/** The wall clock at the beginning of every story. */
export const WALL_START_MS: number = Date.UTC(2026, 0, 5, 8);

/** What a clock on the wall shows at a moment of the story. */
export function wallClock(milliseconds: number): string {
  return new Date(WALL_START_MS + milliseconds).toISOString();
}
