import { INT } from './cel-type.ts';
import { CelFailure, type CelDuration, type CelOutcome, type CelTimestamp } from './cel-value.ts';
import { duration, text, timestamp } from './kinds.ts';
import { member, type Library, type Overload } from './overload.ts';
import { offsetMinutes, splitTimestamp } from './time-text.ts';

const HOUR = 3_600_000_000_000n;
const MINUTE = 60_000_000_000n;
const SECOND = 1_000_000_000n;
const MILLISECOND = 1_000_000n;
const DAY_MS = 86_400_000;

export const TIME_LIBRARY: Library = {
  getFullYear: ofTimestamp('year', (date) => date.getUTCFullYear()),
  getMonth: ofTimestamp('month', (date) => date.getUTCMonth()),
  getDayOfYear: ofTimestamp('day_of_year', dayOfYear),
  getDayOfMonth: ofTimestamp('day_of_month', (date) => date.getUTCDate() - 1),
  getDate: ofTimestamp('day_of_month_1_based', (date) => date.getUTCDate()),
  getDayOfWeek: ofTimestamp('day_of_week', (date) => date.getUTCDay()),
  getHours: [...ofTimestamp('hours', (date) => date.getUTCHours()), ofDuration('hours', HOUR)],
  getMinutes: [...ofTimestamp('minutes', (date) => date.getUTCMinutes()), ofDuration('minutes', MINUTE)],
  getSeconds: [...ofTimestamp('seconds', (date) => date.getUTCSeconds()), ofDuration('seconds', SECOND)],
  getMilliseconds: [
    ...ofTimestamp('milliseconds', (date) => date.getUTCMilliseconds()),
    ofDuration('milliseconds', MILLISECOND),
  ],
};

function ofDuration(name: string, unit: bigint): Overload {
  return member(`duration_to_${name}`, [duration], INT, ({ nanoseconds }: CelDuration) => nanoseconds / unit);
}

function ofTimestamp(name: string, read: (date: Date) => number): readonly Overload[] {
  return [
    member(`timestamp_to_${name}`, [timestamp], INT, (value) => BigInt(read(localDate(value, 0)))),
    member(`timestamp_to_${name}_with_tz`, [timestamp, text], INT, (value, zone) => readIn(value, zone, read)),
  ];
}

function readIn(value: CelTimestamp, zone: string, read: (date: Date) => number): CelOutcome {
  const minutes = offsetMinutes(zone) ?? zoneOffset(value, zone);
  return minutes === undefined ? new CelFailure(`unknown time zone ${zone}`) : BigInt(read(localDate(value, minutes)));
}

// A date whose UTC fields are those of the wanted zone.
function localDate(value: CelTimestamp, minutes: number): Date {
  const { seconds, nanoseconds } = splitTimestamp(value);
  return new Date(Number(seconds) * 1000 + Number(nanoseconds / MILLISECOND) + minutes * 60_000);
}

function zoneOffset(value: CelTimestamp, zone: string): number | undefined {
  const name = zone === '' ? 'UTC' : zone;
  const date = localDate(value, 0);
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    const shown = format.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    return shown === 'GMT' ? 0 : offsetMinutes(shown.slice('GMT'.length).slice(0, 6));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function dayOfYear(date: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start.getTime()) / DAY_MS);
}
