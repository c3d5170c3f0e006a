import type { InstanceEvent } from './instance-event.ts';
import type { InstanceRecoverySettings } from './instance-recovery-settings.ts';
import type { RecoveryRecord, Trouble, TroubleKind } from './recovery-record.ts';

type HearingSettings = Pick<InstanceRecoverySettings, 'maximumEventAgeMs' | 'missedPings' | 'settleMs'>;

/** What an event means for an instance. */
type Meaning =
  | { readonly kind: 'trouble'; readonly trouble: TroubleKind; readonly why: string; readonly hasEnded: boolean }
  | { readonly kind: 'started' }
  | { readonly kind: 'went-on' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'answered' }
  | { readonly kind: 'silent'; readonly misses: number }
  /** Its guest agent has gone, or the guest begins anew: its silence means nothing any more. */
  | { readonly kind: 'agent-gone' }
  | { readonly kind: 'nothing' };

/** Takes in what happened, the oldest first. What is history, or came before its last start, changes nothing. */
export function hearEvents(
  record: RecoveryRecord,
  events: readonly InstanceEvent[],
  settings: HearingSettings,
  now: number,
): RecoveryRecord {
  let heard = record;
  for (const event of events) {
    // One that was queued on its host for hours is stored only now; both clocks have to call it young.
    const at = Math.min(event.at, now);
    const isHistory = now - Math.min(at, event.hostTime ?? at) > settings.maximumEventAgeMs;
    if (isHistory || event.host !== heard.host || isBeforeStart(event, heard)) continue;
    heard = hear(heard, { ...event, at }, settings);
  }
  return heard;
}

/** Whether an event tells of trouble, so that somebody has to hear what became of it. */
export function tellsTrouble({ event }: InstanceEvent): boolean {
  return meaningOf(event).kind === 'trouble';
}

/** Whether an event may be the begin of trouble, or the end of an instance, so that somebody has to look at it. */
export function callsForLook({ event }: InstanceEvent): boolean {
  const { kind } = meaningOf(event);
  return kind === 'trouble' || kind === 'silent' || kind === 'stopped';
}

function isBeforeStart({ at, hostTime }: InstanceEvent, { startedAt, startedHostTime }: RecoveryRecord): boolean {
  if (startedAt !== undefined && at < startedAt) return true;
  return hostTime !== undefined && startedHostTime !== undefined && hostTime < startedHostTime;
}

function hear(record: RecoveryRecord, event: InstanceEvent, settings: HearingSettings): RecoveryRecord {
  const meaning = meaningOf(event.event);
  const { at } = event;
  switch (meaning.kind) {
    case 'trouble':
      return withTrouble(record, { kind: meaning.trouble, at, why: meaning.why, hasEnded: meaning.hasEnded });
    case 'started':
      return {
        ...record,
        startedAt: at,
        startedHostTime: event.hostTime,
        trouble: undefined,
        missedPings: undefined,
      };
    case 'went-on':
      return record.trouble?.kind === 'crashed' ? record : { ...record, startedAt: at, trouble: undefined };
    case 'stopped':
      return stopped(record, at, settings);
    case 'answered':
      return { ...record, missedPings: undefined, trouble: unlessHung(record) };
    case 'silent':
      return silent(record, meaning.misses, at, settings);
    case 'agent-gone':
      return agentGone(record);
    case 'nothing':
      return record;
  }
}

/** The first trouble counts, but an end is worse than a standstill. */
function withTrouble(record: RecoveryRecord, trouble: Trouble): RecoveryRecord {
  if (record.trouble !== undefined && (trouble.kind !== 'crashed' || record.trouble.kind === 'crashed')) return record;
  return { ...record, trouble };
}

/** A stop on purpose, unless it is a part of what we asked for, or of the crash itself. */
function stopped(record: RecoveryRecord, at: number, { settleMs }: HearingSettings): RecoveryRecord {
  const { askedAt, startedAt, trouble } = record;
  const isUnstarted = askedAt !== undefined && (startedAt === undefined || startedAt < askedAt);
  const isOurs = isUnstarted && trouble?.hasEnded !== true;
  const isOfCrash = trouble?.kind === 'crashed' && at - trouble.at <= settleMs;
  return isOurs || isOfCrash ? record : { ...record, trouble: undefined, missedPings: undefined };
}

/** Its host tells it of those only that had answered before, and again while it lasts. */
function silent(record: RecoveryRecord, misses: number, at: number, settings: HearingSettings): RecoveryRecord {
  const counted = { ...record, missedPings: misses };
  if (misses < settings.missedPings) return counted;
  const why = `its guest agent missed ${misses} pings in a row`;
  return withTrouble(counted, { kind: 'hung', at, why, hasEnded: false });
}

/** A guest that closes the channel of its agent does not hang. What was asked for closes it too, and is followed on. */
function agentGone(record: RecoveryRecord): RecoveryRecord {
  const isOfSilence = record.missedPings !== undefined && record.askedAt === undefined;
  return { ...record, missedPings: undefined, trouble: isOfSilence ? unlessHung(record) : record.trouble };
}

function unlessHung({ trouble }: RecoveryRecord): Trouble | undefined {
  return trouble?.kind === 'hung' ? undefined : trouble;
}

function meaningOf(event: InstanceEvent['event']): Meaning {
  switch (event.kind) {
    case 'lifecycle':
      return lifecycleMeaning(event.event, event.detail);
    case 'watchdog':
      return watchdogMeaning(event.action);
    case 'io-error':
      return event.action === 'pause'
        ? troubleOf('stalled', `input or output failed on ${event.device}: ${event.reason ?? 'no reason given'}`)
        : { kind: 'nothing' };
    case 'guest-ping':
      return event.state === 'answers' ? { kind: 'answered' } : { kind: 'silent', misses: event.misses };
    case 'agent-lifecycle':
      // A guest that hangs keeps the channel open; one whose agent was stopped closes it.
      return { kind: event.state === 'disconnected' ? 'agent-gone' : 'nothing' };
    case 'reboot':
      return { kind: 'agent-gone' };
    case 'host-reboot':
      return { ...troubleOf('crashed', 'its host has booted anew'), hasEnded: true };
    case 'control-error':
    case 'memory-failure':
      return { kind: 'nothing' };
  }
}

function lifecycleMeaning(event: string, detail: string): Meaning {
  const why = `libvirt: ${event}/${detail}`;
  switch (event) {
    case 'started':
      return { kind: 'started' };
    case 'resumed':
      return { kind: 'went-on' };
    case 'crashed':
      return troubleOf('crashed', why);
    case 'stopped':
      if (detail === 'failed' || detail === 'crashed') return { ...troubleOf('crashed', why), hasEnded: true };
      return { kind: detail === 'recreated' ? 'nothing' : 'stopped' };
    case 'suspended':
      if (detail === 'ioerror') return troubleOf('stalled', why);
      return detail === 'watchdog' ? troubleOf('hung', why) : { kind: 'nothing' };
    case 'undefined':
      return { kind: detail === 'removed' ? 'stopped' : 'nothing' };
    default:
      return { kind: 'nothing' };
  }
}

/** What the daemon does by itself after a reset or an interrupt shows in the events that follow. */
function watchdogMeaning(action: string): Meaning {
  switch (action) {
    case 'none':
    case 'debug':
    case 'pause':
      return troubleOf('hung', `its watchdog fired: ${action}`);
    case 'poweroff':
    case 'shutdown':
      return troubleOf('crashed', `its watchdog fired: ${action}`);
    default:
      return { kind: 'nothing' };
  }
}

function troubleOf(kind: TroubleKind, why: string): Extract<Meaning, { kind: 'trouble' }> {
  return { kind: 'trouble', trouble: kind, why, hasEnded: false };
}
