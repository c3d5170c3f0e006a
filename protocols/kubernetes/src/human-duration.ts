const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** A duration as `kubectl` shows ages: two or three significant figures, such as `90s`, `5m30s`, `3h`, `2d5h`, `4y12d`. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  // Clocks of two machines differ a little.
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * MINUTE) return `${seconds}s`;
  if (seconds < 10 * MINUTE) return two(seconds, [MINUTE, 'm'], [1, 's']);
  if (seconds < 3 * HOUR) return one(seconds, MINUTE, 'm');
  if (seconds < 8 * HOUR) return two(seconds, [HOUR, 'h'], [MINUTE, 'm']);
  if (seconds < 2 * DAY) return one(seconds, HOUR, 'h');
  if (seconds < 8 * DAY) return two(seconds, [DAY, 'd'], [HOUR, 'h']);
  if (seconds < 2 * YEAR) return one(seconds, DAY, 'd');
  if (seconds < 8 * YEAR) return two(seconds, [YEAR, 'y'], [DAY, 'd']);
  return one(seconds, YEAR, 'y');
}

function one(seconds: number, unit: number, letter: string): string {
  return `${Math.floor(seconds / unit)}${letter}`;
}

function two(seconds: number, large: readonly [number, string], small: readonly [number, string]): string {
  const rest = Math.floor((seconds % large[0]) / small[0]);
  return one(seconds, ...large) + (rest === 0 ? '' : `${rest}${small[1]}`);
}
