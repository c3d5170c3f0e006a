const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/;
const GO_DURATION = /^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const GO_DURATION_PART = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;
const WORDY_DURATION_PART = /(\d+)\s*([A-Za-zµ]+)/g;
const MAX_NANOSECONDS = 2 ** 63;

const NANOSECONDS: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['µs', 1e3],
  ['μs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 6e10],
  ['h', 3.6e12],
]);

// The last of each is also good with an ending, such as `seconds`.
const WORDY_UNITS: readonly (readonly [readonly string[], string])[] = [
  [['ns'], 'nano'],
  [['us', 'µs'], 'micro'],
  [['ms'], 'milli'],
  [['s'], 'sec'],
  [['m'], 'min'],
  [['h', 'hr'], 'hour'],
  [['d'], 'day'],
  [['w', 'wk'], 'week'],
];

/** A day such as `2026-02-28`, one that exists. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= (lengths[month - 1] ?? 0);
}

/** A point in time as RFC 3339 writes it, such as `2026-02-28T12:00:00.5Z`. */
export function isDateTime(text: string): boolean {
  const [day = '', time = ''] = text.toLowerCase().split('t');
  const match = isDate(day) ? TIME.exec(time) : null;
  return match !== null && Number(match[1]) <= 23 && Number(match[2]) <= 59 && Number(match[3]) <= 59;
}

/** A length of time as Go writes it (`1h30m`) or in words (`3 days`). */
export function isDuration(text: string): boolean {
  if (GO_DURATION.test(text) && nanoseconds(text) < MAX_NANOSECONDS) return true;
  return isWordyDuration(text);
}

function nanoseconds(text: string): number {
  let sum = 0;
  for (const [, number, unit = ''] of text.matchAll(GO_DURATION_PART)) {
    sum += Number(number) * (NANOSECONDS.get(unit) ?? 0);
  }
  return sum;
}

function isWordyDuration(text: string): boolean {
  let hasUnit = false;
  for (const [, number = '', word = ''] of text.matchAll(WORDY_DURATION_PART)) {
    if (BigInt(number) >= 2n ** 63n) return false;
    const unit = word.toLowerCase();
    hasUnit ||= WORDY_UNITS.some(([names, stem]) => names.includes(unit) || unit.startsWith(stem));
  }
  return hasUnit;
}
