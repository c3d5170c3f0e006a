import { invalid, required, type FieldError } from '@smalt/resource';

const DESCRIPTORS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const BOUNDS: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

/** What is wrong with the schedule of a CronJob, in the words of the parser that Kubernetes uses. */
export function validateSchedule(schedule: string, field: string): readonly FieldError[] {
  if (schedule === '') return [required(field)];
  if (schedule.includes('TZ')) {
    return [invalid(field, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')];
  }
  const problem = schedule.startsWith('@') ? descriptorProblem(schedule) : fieldsProblem(schedule);
  return problem === undefined ? [] : [invalid(field, schedule, problem)];
}

function descriptorProblem(schedule: string): string | undefined {
  if (DESCRIPTORS.includes(schedule)) return undefined;
  if (/^@every (\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(schedule)) return undefined;
  return schedule.startsWith('@every ')
    ? `failed to parse duration ${schedule}: time: invalid duration ${JSON.stringify(schedule.slice('@every '.length))}`
    : `unrecognized descriptor: ${schedule}`;
}

function fieldsProblem(schedule: string): string | undefined {
  const fields = schedule.trim().split(/\s+/);
  if (fields.length !== BOUNDS.length) {
    return `expected exactly ${BOUNDS.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [index, bounds] of BOUNDS.entries()) {
    for (const part of (fields[index] ?? '').split(',')) {
      const problem = rangeProblem(part, bounds);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function rangeProblem(part: string, bounds: Bounds): string | undefined {
  const [range = '', step, ...tooMuch] = part.split('/');
  const [first = '', last, ...more] = range.split('-');
  if (tooMuch.length > 0) return `too many slashes: ${part}`;
  if (more.length > 0) return `too many hyphens: ${part}`;
  const isAny = first === '*' || first === '?';
  const start = isAny ? bounds.min : numberOf(first, bounds);
  const end = isAny ? bounds.max : endOf(last, step, start, bounds);
  for (const number of [start, end, step === undefined ? 1 : numberOf(step, { ...bounds, names: [] })]) {
    if (typeof number === 'string') return number;
  }
  return boundsProblem(Number(start), Number(end), part, { bounds, step });
}

function endOf(
  last: string | undefined,
  step: string | undefined,
  start: number | string,
  bounds: Bounds,
): number | string {
  if (last !== undefined) return numberOf(last, bounds);
  // A step without an end runs to the largest value.
  return step === undefined ? start : bounds.max;
}

function boundsProblem(
  start: number,
  end: number,
  part: string,
  { bounds, step }: { readonly bounds: Bounds; readonly step: string | undefined },
): string | undefined {
  if (start < bounds.min) return `beginning of range (${start}) below minimum (${bounds.min}): ${part}`;
  if (end > bounds.max) return `end of range (${end}) above maximum (${bounds.max}): ${part}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${part}`;
  return step === '0' ? `step of range should be a positive number: ${part}` : undefined;
}

/** The number that a text stands for, or what is wrong with it. */
function numberOf(text: string, { names, min }: Bounds): number | string {
  const index = names.indexOf(text.toLowerCase());
  if (index >= 0) return index + min;
  if (/^[+]?\d+$/.test(text)) return Number(text);
  if (/^-\d+$/.test(text)) return `negative number (${text}) not allowed: ${text}`;
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
}
