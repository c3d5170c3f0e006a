import { CelDuration, CelTimestamp } from './cel-value.ts';

const SECOND = 1_000_000_000n;
const MAX_DURATION = 2n ** 63n - 1n;
/** No duration needs more characters, and patterns take long to refuse long texts. */
export const MAX_DURATION_LENGTH = 1000;
const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['μs', 1000n],
  ['ms', 1_000_000n],
  ['s', SECOND],
  ['m', 60n * SECOND],
  ['h', 3600n * SECOND],
]);
const DURATION_PARTS = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;
const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,}))?(Z|[+-]\d{2}:\d{2})$/;
// A timestamp lies in the years 1 to 9999.
/** The first moment that a timestamp can be. */
export const MIN_TIMESTAMP: bigint = -62_135_596_800n * SECOND;
const MAX_TIMESTAMP: bigint = 253_402_300_799n * SECOND + 999_999_999n;

/** Reads a duration such as `1h2m3.5s`; undefined where the text is none. */
export function parseDuration(text: string): CelDuration | undefined {
  if (text.length > MAX_DURATION_LENGTH) return undefined;
  const [, sign = '', body = ''] = /^([+-]?)(.+)$/s.exec(text) ?? [];
  if (body === '0') return new CelDuration(0n);
  let total = 0n;
  let length = 0;
  for (const [part, amount = '', unit = ''] of body.matchAll(DURATION_PARTS)) {
    const [whole = '', fraction = ''] = amount.split('.');
    const factor = UNITS.get(unit) ?? 1n;
    total += BigInt(whole === '' ? 0 : whole) * factor;
    if (fraction !== '') total += (BigInt(fraction) * factor) / 10n ** BigInt(fraction.length);
    length += part.length;
  }
  if (length !== body.length || length === 0 || total > MAX_DURATION) return undefined;
  return new CelDuration(sign === '-' ? -total : total);
}

/** Writes a duration in seconds, as CEL does: `3723.004s`. */
export function formatDuration(duration: CelDuration): string {
  const { nanoseconds } = duration;
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  return `${nanoseconds < 0n ? '-' : ''}${size / SECOND}${fractionText(size % SECOND)}s`;
}

/** Reads a moment in the form of RFC 3339; undefined where the text is none or out of range. */
export function parseTimestamp(text: string): CelTimestamp | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match;
  const milliseconds = utcMilliseconds([year, month, day, hour, minute, second].map(Number));
  const offset = offsetMinutes(zone);
  if (milliseconds === undefined || offset === undefined) return undefined;
  const nanoseconds = BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  return checkedTimestamp(BigInt(milliseconds - offset * 60_000) * 1_000_000n + nanoseconds, offset);
}

/** Writes a moment in the form of RFC 3339, in the offset it came with and with as many decimals as it needs. */
export function formatTimestamp(timestamp: CelTimestamp): string {
  const { seconds, nanoseconds } = splitTimestamp(timestamp);
  const { offsetMinutes: offset } = timestamp;
  const text = new Date(Number(seconds) * 1000 + offset * 60_000).toISOString().slice(0, -5).replace(/^\+00/, '');
  return `${text}${fractionText(nanoseconds)}${offset === 0 ? 'Z' : offsetText(offset)}`;
}

function offsetText(offset: number): string {
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `${offset < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

/** The timestamp, or undefined where it would lie outside the years 1 to 9999. */
export function checkedTimestamp(nanoseconds: bigint, offset = 0): CelTimestamp | undefined {
  const isInRange = nanoseconds >= MIN_TIMESTAMP && nanoseconds <= MAX_TIMESTAMP;
  return isInRange ? new CelTimestamp(nanoseconds, offset) : undefined;
}

/** Whole seconds since 1970, rounded down, and the nanoseconds beyond them. */
export function splitTimestamp(timestamp: CelTimestamp): { readonly seconds: bigint; readonly nanoseconds: bigint } {
  const nanoseconds = ((timestamp.nanoseconds % SECOND) + SECOND) % SECOND;
  return { seconds: (timestamp.nanoseconds - nanoseconds) / SECOND, nanoseconds };
}

/** How many minutes an offset such as `+01:00` or `01:00` is ahead of UTC; undefined where it is no offset. */
export function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const match = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone);
  if (match === null) return undefined;
  const [, sign, hours, minutes] = match;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Milliseconds since 1970 of a date and time in UTC; undefined where the calendar has no such day or hour. */
export function utcMilliseconds(parts: readonly number[]): number | undefined {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return date.getUTCDate() === day ? date.getTime() : undefined;
}

function fractionText(nanoseconds: bigint): string {
  return nanoseconds === 0n ? '' : `.${nanoseconds.toString().padStart(9, '0').replace(/0+$/, '')}`;
}
