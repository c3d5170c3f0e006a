import { FieldReader } from './field-reader.ts';
import { lifecycleWords } from './lifecycle-words.ts';
import { telemetryEventKinds, type TelemetryEventKind } from './telemetry-record.ts';

/** What of a kind is reported. Of the lifecycle, `only` and `except` name events, or an event and its detail. */
export interface EventSettings {
  readonly isReported: boolean;
  /** Such as `stopped` or `stopped/failed`. Empty: all. */
  readonly only: readonly string[];
  readonly except: readonly string[];
}

/** What is reported to the HA service, and how often. */
export interface ReportSettings {
  readonly events: Readonly<Record<TelemetryEventKind, EventSettings>>;
  /** Patterns of domain names, with `*` and `?`. */
  readonly domains: { readonly include: readonly string[]; readonly exclude: readonly string[] };
  readonly intervals: Readonly<Record<IntervalName, number>>;
  readonly guestPing: GuestPingSettings;
}

/** How guests are asked whether they are there. */
export interface GuestPingSettings {
  /** Pings in a row that a guest misses before it is called silent. */
  readonly misses: number;
  /** How long it has to answer; libvirt knows whole seconds only. */
  readonly timeoutSeconds: number;
}

const INTERVAL_NAMES = ['uptimeSeconds', 'instancesSeconds', 'guestPingSeconds'] as const;
type IntervalName = (typeof INTERVAL_NAMES)[number];

const MOST_PATTERNS = 1000;
const LONGEST_PATTERN = 256;
const LONGEST_INTERVAL_SECONDS = 86_400;
const MOST_MISSES = 100;
const LONGEST_PING_SECONDS = 30;
const ALL: EventSettings = { isReported: true, only: [], except: [] };

/** Everything is reported: the uptime every 30 seconds, the instances every 60; guests are asked every 10. */
export const defaultReportSettings: ReportSettings = {
  events: Object.freeze({
    lifecycle: ALL,
    reboot: ALL,
    watchdog: ALL,
    'io-error': ALL,
    'control-error': ALL,
    'agent-lifecycle': ALL,
    'memory-failure': ALL,
    'guest-ping': ALL,
  }),
  domains: { include: ['*'], exclude: [] },
  intervals: { uptimeSeconds: 30, instancesSeconds: 60, guestPingSeconds: 10 },
  guestPing: { misses: 3, timeoutSeconds: 2 },
};

/** Reads settings from the content of a YAML or JSON file; what is left out is as in the defaults. */
export function parseReportSettings(value: unknown): ReportSettings {
  if (value === undefined || value === null) return defaultReportSettings;
  const fields = new FieldReader(value, '', 'invalid-settings');
  refuseUnknown(fields, ['events', 'domains', 'intervals', 'guestPing']);
  return {
    events: fields.has('events') ? readEvents(fields.object('events')) : defaultReportSettings.events,
    domains: fields.has('domains') ? readDomains(fields.object('domains')) : defaultReportSettings.domains,
    intervals: fields.has('intervals') ? readIntervals(fields.object('intervals')) : defaultReportSettings.intervals,
    guestPing: fields.has('guestPing') ? readGuestPing(fields.object('guestPing')) : defaultReportSettings.guestPing,
  };
}

function readEvents(fields: FieldReader): ReportSettings['events'] {
  refuseUnknown(fields, telemetryEventKinds);
  const read = (kind: TelemetryEventKind): EventSettings =>
    fields.has(kind) ? readEvent(fields, kind) : defaultReportSettings.events[kind];
  return {
    lifecycle: read('lifecycle'),
    reboot: read('reboot'),
    watchdog: read('watchdog'),
    'io-error': read('io-error'),
    'control-error': read('control-error'),
    'agent-lifecycle': read('agent-lifecycle'),
    'memory-failure': read('memory-failure'),
    'guest-ping': read('guest-ping'),
  };
}

function readEvent(fields: FieldReader, kind: TelemetryEventKind): EventSettings {
  const value = fields.raw(kind);
  if (typeof value === 'boolean') return { ...ALL, isReported: value };
  if (kind !== 'lifecycle') return fields.fail(kind, 'must be true or false');
  if (typeof value !== 'object') return fields.fail(kind, 'must be true, false, or an object with only and except');
  const filters = fields.object(kind);
  refuseUnknown(filters, ['only', 'except']);
  return { isReported: true, only: readFilters(filters, 'only'), except: readFilters(filters, 'except') };
}

function readFilters(fields: FieldReader, name: string): readonly string[] {
  if (!fields.has(name)) return [];
  return fields.list(name, MOST_PATTERNS).map((entry, index) => {
    const complaint = typeof entry === 'string' ? filterComplaint(entry) : 'must be a text such as stopped/failed';
    if (complaint !== undefined) fields.fail(`${name}[${index}]`, complaint);
    return String(entry);
  });
}

function filterComplaint(filter: string): string | undefined {
  const [event = '', detail, ...rest] = filter.split('/');
  if (rest.length > 0) return 'must be an event, or an event, a slash and its detail';
  const details = Object.hasOwn(lifecycleWords, event) ? lifecycleWords[event] : undefined;
  // A newer libvirt has words that we do not know; they are told by their numbers.
  if (details === undefined) return isUnknownWord(event) ? undefined : knownWords(event, Object.keys(lifecycleWords));
  if (detail === undefined || details.includes(detail) || isUnknownWord(detail)) return undefined;
  return knownWords(detail, details);
}

function isUnknownWord(word: string): boolean {
  return /^unknown-\d+$/.test(word);
}

function knownWords(word: string, words: readonly string[]): string {
  return `must not be ${JSON.stringify(word)} but one of ${words.join(', ')}`;
}

function readDomains(fields: FieldReader): ReportSettings['domains'] {
  refuseUnknown(fields, ['include', 'exclude']);
  const { include, exclude } = defaultReportSettings.domains;
  return {
    include: fields.has('include') ? readPatterns(fields, 'include') : include,
    exclude: fields.has('exclude') ? readPatterns(fields, 'exclude') : exclude,
  };
}

function readPatterns(fields: FieldReader, name: string): readonly string[] {
  return fields.list(name, MOST_PATTERNS).map((pattern, index) => {
    if (typeof pattern === 'string' && pattern !== '' && pattern.length <= LONGEST_PATTERN) return pattern;
    return fields.fail(`${name}[${index}]`, `must be a pattern of 1 to ${LONGEST_PATTERN} characters, such as "web-*"`);
  });
}

function readIntervals(fields: FieldReader): ReportSettings['intervals'] {
  refuseUnknown(fields, INTERVAL_NAMES);
  const read = (name: IntervalName): number =>
    fields.has(name) ? fields.number(name, 1, LONGEST_INTERVAL_SECONDS) : defaultReportSettings.intervals[name];
  return {
    uptimeSeconds: read('uptimeSeconds'),
    instancesSeconds: read('instancesSeconds'),
    guestPingSeconds: read('guestPingSeconds'),
  };
}

function readGuestPing(fields: FieldReader): GuestPingSettings {
  refuseUnknown(fields, ['misses', 'timeoutSeconds']);
  const { misses, timeoutSeconds } = defaultReportSettings.guestPing;
  return {
    misses: fields.has('misses') ? fields.integer('misses', 2, MOST_MISSES) : misses,
    timeoutSeconds: fields.has('timeoutSeconds')
      ? fields.integer('timeoutSeconds', 1, LONGEST_PING_SECONDS)
      : timeoutSeconds,
  };
}

function refuseUnknown(fields: FieldReader, known: readonly string[]): void {
  const unknown = fields.names().find((name) => !known.includes(name));
  if (unknown !== undefined) fields.fail(unknown, `is not a setting; there are ${known.join(', ')}`);
}
