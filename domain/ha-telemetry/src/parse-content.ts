import type { FieldReader } from './field-reader.ts';
import { telemetryLimits } from './telemetry-limits.ts';
import type {
  GapReason,
  GapRecord,
  GuestPingState,
  MissedReason,
  TelemetryContent,
  TelemetryDomain,
  TelemetryInstance,
} from './telemetry-record.ts';

const { instances, textLength, wordLength } = telemetryLimits;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const GUEST_PING_STATES: readonly GuestPingState[] = ['silent', 'answers'];
const MISSED_REASONS: readonly MissedReason[] = ['agent-started', 'libvirt-lost', 'too-many'];
const GAP_REASONS: readonly GapReason[] = ['queue-full', 'refused', 'unsaved', 'damaged'];

type Content = TelemetryContent | GapRecord;
type Kind = Content['kind'];
type ContentReaders = {
  readonly [Each in Kind]: (fields: FieldReader) => Omit<Extract<Content, { kind: Each }>, 'time'>;
};

const READERS: ContentReaders = {
  lifecycle: (fields) => ({
    kind: 'lifecycle',
    domain: readDomain(fields.object('domain')),
    event: word(fields, 'event'),
    detail: word(fields, 'detail'),
  }),
  reboot: (fields) => ({ kind: 'reboot', domain: readDomain(fields.object('domain')) }),
  watchdog: (fields) => ({
    kind: 'watchdog',
    domain: readDomain(fields.object('domain')),
    action: word(fields, 'action'),
  }),
  'io-error': (fields) => ({
    kind: 'io-error',
    domain: readDomain(fields.object('domain')),
    path: textOrEmpty(fields, 'path'),
    device: textOrEmpty(fields, 'device'),
    action: word(fields, 'action'),
    ...(fields.has('reason') && { reason: word(fields, 'reason') }),
  }),
  'control-error': (fields) => ({ kind: 'control-error', domain: readDomain(fields.object('domain')) }),
  'agent-lifecycle': (fields) => ({
    kind: 'agent-lifecycle',
    domain: readDomain(fields.object('domain')),
    state: word(fields, 'state'),
    reason: word(fields, 'reason'),
  }),
  'memory-failure': (fields) => ({
    kind: 'memory-failure',
    domain: readDomain(fields.object('domain')),
    recipient: word(fields, 'recipient'),
    action: word(fields, 'action'),
    flags: fields
      .list('flags', wordLength)
      .map((flag) => (isWord(flag) ? flag : fields.fail('flags', 'must be words'))),
  }),
  'guest-ping': (fields) => ({
    kind: 'guest-ping',
    domain: readDomain(fields.object('domain')),
    state: fields.oneOf('state', GUEST_PING_STATES),
    misses: fields.integer('misses', 1),
    since: fields.time('since'),
  }),
  missed: (fields) => ({
    kind: 'missed',
    reason: fields.oneOf('reason', MISSED_REASONS),
    ...(fields.has('dropped') && { dropped: fields.integer('dropped', 1) }),
    ...(fields.has('since') && { since: fields.time('since') }),
  }),
  uptime: (fields) => ({
    kind: 'uptime',
    uptimeSeconds: fields.number('uptimeSeconds', 0, Number.MAX_SAFE_INTEGER),
    bootId: word(fields, 'bootId'),
    agentStartedAt: fields.time('agentStartedAt'),
    libvirt: fields.oneOf('libvirt', ['connected', 'disconnected']),
  }),
  instances: (fields) => ({ kind: 'instances', instances: readInstances(fields) }),
  gap: (fields) => ({
    kind: 'gap',
    firstSequence: fields.integer('firstSequence', 1),
    reason: fields.oneOf('reason', GAP_REASONS),
  }),
};

/** Reads what a record says, without its number. Fields that are not known are left out. */
export function parseContent(fields: FieldReader): Content {
  const kind = fields.raw('kind');
  if (!isKind(kind)) return fields.fail('kind', `must be one of ${Object.keys(READERS).join(', ')}`);
  return { ...READERS[kind](fields), time: fields.time('time') };
}

function isKind(value: unknown): value is Kind {
  return typeof value === 'string' && Object.hasOwn(READERS, value);
}

function readInstances(fields: FieldReader): readonly TelemetryInstance[] {
  return fields
    .objects('instances', instances)
    .map((instance) => ({ ...readDomain(instance), state: word(instance, 'state') }));
}

function readDomain(fields: FieldReader): TelemetryDomain {
  const uuid = fields.text('uuid', 36);
  if (!UUID.test(uuid)) fields.fail('uuid', 'must be a UUID in lower case');
  const name = fields.text('name', textLength);
  return { uuid, name, ...(fields.has('id') && { id: fields.integer('id', 0) }) };
}

function word(fields: FieldReader, name: string): string {
  const value = fields.raw(name);
  return isWord(value)
    ? value
    : fields.fail(name, `must be a word of at most ${wordLength} letters, digits and dashes`);
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value.length <= wordLength && /^[\w-]+$/.test(value);
}

function textOrEmpty(fields: FieldReader, name: string): string {
  return fields.raw(name) === '' ? '' : fields.text(name, textLength);
}
