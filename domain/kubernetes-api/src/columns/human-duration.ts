const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** A span of time with two or three digits that matter, as `kubectl` shows ages: 90s, 5m10s, 3h, 5d2h, 2y30d. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * MINUTE) return `${seconds}s`;
  if (seconds < 10 * MINUTE) return pair(seconds, MINUTE, 'm', [1, 's']);
  if (seconds < 3 * HOUR) return `${Math.floor(seconds / MINUTE)}m`;
  if (seconds < 8 * HOUR) return pair(seconds, HOUR, 'h', [MINUTE, 'm']);
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)}h`;
  if (seconds < 8 * DAY) return pair(seconds, DAY, 'd', [HOUR, 'h']);
  if (seconds < 2 * YEAR) return `${Math.floor(seconds / DAY)}d`;
  if (seconds < 8 * YEAR) return pair(seconds, YEAR, 'y', [DAY, 'd']);
  return `${Math.floor(seconds / YEAR)}y`;
}

function pair(
  seconds: number,
  large: number,
  largeName: string,
  [small, smallName]: readonly [number, string],
): string {
  const rest = Math.floor((seconds % large) / small);
  const first = `${Math.floor(seconds / large)}${largeName}`;
  return rest === 0 ? first : `${first}${rest}${smallName}`;
}
