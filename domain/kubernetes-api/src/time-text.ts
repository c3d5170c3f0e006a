const SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const MICROSECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const RFC3339 = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/;

/** A moment: whole seconds since 1970 and nanoseconds on top. */
export interface Moment {
  readonly seconds: number;
  readonly nanos: number;
}

/** Reads RFC 3339 text; undefined when it is something else, or a day or hour that does not exist. */
export function parseMoment(text: string): Moment | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [, date = '', time = '', fraction = '', zone = ''] = match;
  const milliseconds = Date.parse(`${date}T${time}Z`);
  // Date takes 30 February for 2 March, and 24:00 for the next day.
  if (Number.isNaN(milliseconds) || formatSeconds(milliseconds / 1000) !== `${date}T${time}Z`) return undefined;
  const offset = offsetSeconds(zone);
  if (offset === undefined) return undefined;
  return { seconds: milliseconds / 1000 - offset, nanos: Number(fraction.padEnd(9, '0')) };
}

/** The text of a time to the second in UTC, as metadata shows it. */
export function formatSeconds(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** The text of a time to the microsecond in UTC, as leases and events show it. */
export function formatMicroseconds({ seconds, nanos }: Moment): string {
  return `${formatSeconds(seconds).slice(0, 19)}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`;
}

/** The canonical text of a time, or undefined when it is none. Most texts are canonical already. */
export function canonicalTime(text: string, isMicro: boolean): string | undefined {
  if ((isMicro ? MICROSECONDS : SECONDS).test(text) && parseMoment(text) !== undefined) return text;
  const moment = parseMoment(text);
  if (moment === undefined) return undefined;
  return isMicro ? formatMicroseconds(moment) : formatSeconds(moment.seconds);
}

function offsetSeconds(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 24 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60);
}
