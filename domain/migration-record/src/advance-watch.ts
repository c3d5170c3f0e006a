import {
  isEmptied,
  laterProgress,
  readAmount,
  readErrorText,
  readOperation,
  saysFailure,
  withoutOutlook,
  type JobStats,
} from './job-progress.ts';
import type { JobType } from './job-words.ts';
import type { MigrationResult, MigrationRole } from './observation.ts';
import { before, beginWatch, type Moment, type Watch } from './watch.ts';

/** Something that was seen of a domain, in the words of libvirt. */
export type Sighting =
  /** QEMU goes through the memory of the guest, for the first time or once more. */
  | { readonly kind: 'iteration'; readonly iteration: number }
  /** `event` and `detail` as `started`, `migrated`. */
  | { readonly kind: 'lifecycle'; readonly event: string; readonly detail: string }
  /** What QEMU itself says of its migration: `active`, `cancelling`, `failed`. */
  | { readonly kind: 'monitor'; readonly status: string }
  | { readonly kind: 'job-completed'; readonly stats: JobStats }
  | JobSighting
  /** The job that ended last, and whether the guest runs. */
  | { readonly kind: 'past-job'; readonly type: JobType; readonly stats: JobStats; readonly isRunning: boolean }
  /** The guest is on its way in. */
  | { readonly kind: 'incoming' }
  /** The daemon was out of reach, and may have been started anew. */
  | { readonly kind: 'reconnected' }
  /** The domain was stopped and started since it was watched, so the migration is over. */
  | { readonly kind: 'started-anew' }
  /** There is no such running domain. */
  | { readonly kind: 'missing'; readonly hasMigrated: boolean };

/** The job that is under way. `askedAt` is when it was asked for, as the answer may have been on its way for long. */
interface JobSighting {
  readonly kind: 'job';
  readonly type: JobType;
  readonly stats: JobStats;
  readonly askedAt?: Moment | undefined;
}

/** What is to be done: look at the job, or at the one that ended last, or tell what is known now. */
export type WatchEffect = 'look' | 'look-back' | 'report';

export interface WatchStep {
  /** Nothing when there is nothing to watch. */
  readonly watch: Watch | undefined;
  readonly effects: readonly WatchEffect[];
  /** The watch before, if another migration took its place; its end is to be told first. */
  readonly ended?: Watch | undefined;
}

/** What becomes of a watch when something is seen. Whoever acts on it looks at every open watch once a second. */
export function advanceWatch(watch: Watch | undefined, sighting: Sighting, moment: Moment): WatchStep {
  switch (sighting.kind) {
    case 'iteration':
      return onIteration(watch, sighting.iteration, moment);
    case 'lifecycle':
      return onLifecycle(watch, `${sighting.event} ${sighting.detail}`, moment);
    case 'monitor':
      return onMonitor(watch, sighting.status, moment);
    case 'job-completed':
      return onJobCompleted(watch, sighting.stats, moment);
    case 'job':
      return onJob(watch, sighting, moment);
    case 'past-job':
      return onPastJob(watch, sighting, moment);
    case 'incoming':
      return onIncoming(watch, moment);
    case 'reconnected':
      return onReconnected(watch);
    case 'started-anew':
      return onStartedAnew(watch, moment);
    case 'missing':
      return onMissing(watch, sighting.hasMigrated, moment);
  }
}

function onIteration(watch: Watch | undefined, iteration: number, moment: Moment): WatchStep {
  const begun = beginWatch('origin', moment, { isCertain: false, isEstimated: false });
  if (watch?.role !== 'origin' || watch.end !== undefined) {
    return replace(watch, { watch: begun, effects: ['look'] }, moment);
  }
  // The one that is watched may be over unseen, and this the next.
  return { watch, effects: iteration === 1 ? ['look'] : [] };
}

function onLifecycle(watch: Watch | undefined, what: string, moment: Moment): WatchStep {
  const open = watch?.end === undefined ? watch : undefined;
  switch (what) {
    case 'started migrated':
      // It may have been found on its way in before the event came; one that was missing is another.
      if (open?.role === 'destination' && open.missingSinceMs === undefined) return stay(open);
      return begin('destination', moment, { isEstimated: false });
    case 'suspended migrated':
      if (open?.role === 'origin') return stay({ ...open, isCertain: true });
      return replace(open, { watch: beginWatch('origin', moment, sure), effects: ['look'] }, moment);
    case 'resumed migrated':
      // A guest that could not leave goes on where it was, with the same words as one that has arrived.
      return { watch, effects: [open?.role === 'origin' ? 'look' : 'look-back'] };
    case 'suspended paused':
      return { watch, effects: open?.role === 'destination' ? ['look-back'] : [] };
    case 'suspended postcopy-failed':
    case 'resumed postcopy-failed':
      return endIfOpen(watch, { kind: 'failed', error: 'post-copy broke: the guest is paused' }, moment);
    case 'stopped migrated':
      return onDeparture(watch, moment);
    default:
      if (!what.startsWith('stopped ')) return stay(watch);
      return endIfOpen(watch, { kind: 'failed', error: `the guest was ${what.replace(' ', ': ')}` }, moment);
  }
}

function onDeparture(watch: Watch | undefined, moment: Moment): WatchStep {
  const isOpen = watch?.end === undefined;
  if (watch?.role === 'origin' && (isOpen || watch.end.isGuess === true)) return leave(watch, moment);
  // That it is gone may have been found before the event came.
  if (watch?.role === 'origin' && watch.end?.result.kind === 'completed') return stay(watch);
  const left = beginWatch('origin', moment, { ...sure, isEstimated: true });
  return replace(isOpen ? watch : undefined, leave(left, moment), moment);
}

function onMonitor(watch: Watch | undefined, status: string, moment: Moment): WatchStep {
  if (watch?.role !== 'origin') return stay(watch);
  // QEMU sets up the next one, so the one that it gave up is over, though nobody has looked since.
  const isOver = status === 'setup' && watch.suspicion !== undefined;
  const known = isOver ? endIfOpen(watch, failure(watch), moment) : stay(watch);
  if (status === 'setup') return { ...known, effects: [...known.effects, 'look'] };
  if (watch.end !== undefined) return stay(watch);
  if (status === 'completed') return stay({ ...watch, hasSentAll: true });
  if (status !== 'cancelling' && status !== 'cancelled' && status !== 'failed') return stay(watch);
  const kind = status === 'failed' ? 'failed' : 'cancelled';
  return { watch: { ...watch, suspicion: watch.suspicion ?? { kind, isCertain: false } }, effects: ['look'] };
}

function onJobCompleted(watch: Watch | undefined, stats: JobStats, moment: Moment): WatchStep {
  const role = roleOf(stats, watch);
  if (role === undefined) return watch?.isCertain === true ? stay(watch) : { watch: undefined, effects: [] };
  const known = watch?.role === role ? watch : beginWatch(role, moment, { stats, isCertain: true, isEstimated: true });
  const result = resultOf(stats);
  const soFar = result.kind === 'completed' ? withoutOutlook(known.progress) : known.progress;
  return end({ ...known, progress: laterProgress(soFar, stats) }, result, moment);
}

function onJob(watch: Watch | undefined, sighting: JobSighting, moment: Moment): WatchStep {
  const { type, stats } = sighting;
  const isActive = type === 'bounded' || type === 'unbounded';
  const role = roleOf(stats, watch);
  if (watch === undefined) {
    if (!isActive || role === undefined) return stay(undefined);
    return { watch: beginWatch(role, moment, { stats, isCertain: true, isEstimated: true }), effects: ['report'] };
  }
  const began = earliestBegin(sighting, moment);
  const isAnother = watch.isCertain && isLater(began, watch.jobBegan);
  if (watch.end !== undefined && !(isActive && isAnother)) return stay(watch);
  if (isActive && role === undefined) return watch.end === undefined ? { watch: undefined, effects: [] } : stay(watch);
  if (isActive && role !== undefined && (isAnother || role !== watch.role)) {
    const isEstimated = began === undefined;
    const next = beginWatch(role, moment, { stats, isCertain: true, isEstimated });
    return replace(watch, { watch: next, effects: ['report'] }, began ?? moment);
  }
  if (isActive) return progress(watch, stats, moment);
  if (type === 'failed' || type === 'cancelled') {
    return stay({ ...watch, suspicion: { kind: type, isCertain: true }, missingSinceMs: undefined });
  }
  if (type === 'completed') return stay({ ...watch, hasSentAll: true, missingSinceMs: undefined });
  if (watch.role === 'destination') return { watch: { ...watch, missingSinceMs: undefined }, effects: ['look-back'] };
  return endIfOpen(watch, failure(watch), moment);
}

function onPastJob(
  watch: Watch | undefined,
  { type, stats, isRunning }: { readonly type: JobType; readonly stats: JobStats; readonly isRunning: boolean },
  moment: Moment,
): WatchStep {
  // A guest whose post-copy broke may arrive after all.
  if (watch?.end?.result.kind === 'completed') return stay(watch);
  const role = roleOf(stats, watch);
  if (type === 'completed' && role !== undefined && (watch === undefined || watch.role === role)) {
    return onJobCompleted(watch, stats, moment);
  }
  if (watch?.role !== 'destination' || watch.end !== undefined || !isRunning) return stay(watch);
  // It has arrived, but the daemon tells how only a moment later, or no longer knows.
  return watch.hasArrived ? end(watch, completed, moment) : stay({ ...watch, hasArrived: true });
}

function onIncoming(watch: Watch | undefined, moment: Moment): WatchStep {
  if (watch === undefined) return begin('destination', moment, { isEstimated: true });
  return stay(watch.missingSinceMs === undefined ? watch : { ...watch, missingSinceMs: undefined });
}

function onMissing(watch: Watch | undefined, hasMigrated: boolean, moment: Moment): WatchStep {
  if (watch === undefined || watch.end !== undefined) return stay(watch);
  const hasLeft = hasMigrated || (watch.hasSentAll && watch.isCertain);
  if (hasLeft && watch.role === 'origin') return leave(watch, moment);
  // The event that tells the end may be on its way, and looks may follow each other at once.
  const missingSinceMs = watch.missingSinceMs ?? moment.monotonicMs;
  if (moment.monotonicMs - missingSinceMs < PATIENCE_MS) return stay({ ...watch, missingSinceMs });
  return endUnseen(watch, moment);
}

function onReconnected(watch: Watch | undefined): WatchStep {
  // What was seen of its end before is no work of a daemon that was started anew.
  if (watch?.role !== 'origin' || watch.end !== undefined || watch.suspicion !== undefined) return stay(watch);
  return stay({ ...watch, isOutOfSight: true });
}

function onStartedAnew(watch: Watch | undefined, moment: Moment): WatchStep {
  if (watch === undefined || watch.end !== undefined) return { watch: undefined, effects: [] };
  return { watch: undefined, effects: [], ended: endUnseen(watch, moment).watch };
}

function endUnseen(watch: Watch, { monotonicMs }: Moment): WatchStep {
  if (!watch.isCertain) return { watch: undefined, effects: [] };
  const error = `the guest is gone from its ${watch.role}, and its end was not seen`;
  return {
    watch: { ...watch, end: { monotonicMs, result: { kind: 'failed', error }, isGuess: true } },
    effects: ['report'],
  };
}

const sure = { isCertain: true, isEstimated: false } as const;

/** So long after a guest was missed first, no event will tell what became of it. */
const PATIENCE_MS = 1000;

/** Nothing is sent for so long only if the network or the other host does not take it. */
const STALLED_MS = 500;

/** Times of libvirt are whole milliseconds. */
const ROUNDING_MS = 50;

const completed: MigrationResult = { kind: 'completed' };

function progress(watch: Watch, stats: JobStats, moment: Moment): WatchStep {
  const start = watch.isCertain
    ? watch
    : beginWatch(watch.role, moment, { stats, isCertain: true, isEstimated: false });
  const { startedAtMs, startedMonotonicMs } = start;
  const agoMs = readAmount(stats, 'time_elapsed');
  const jobBegan = agoMs === undefined ? watch.jobBegan : before(moment, agoMs);
  const sending = sendingOf(watch, stats, moment);
  // libvirt cancels what it gave up by itself, but calls it failed before; what it calls active, a client cancelled.
  const suspicion = watch.suspicion?.kind === 'cancelled' ? { ...watch.suspicion, isCertain: true } : watch.suspicion;
  const next = { ...watch, ...sending, startedAtMs, startedMonotonicMs, jobBegan };
  const known = { isCertain: true, isOutOfSight: false, missingSinceMs: undefined };
  return { watch: { ...next, suspicion, ...known }, effects: ['report'] };
}

/** How far it is, and whether it stands still. */
function sendingOf(
  { progress: known, sentMonotonicMs, isStalled }: Watch,
  stats: JobStats,
  { monotonicMs }: Moment,
): Pick<Watch, 'progress' | 'sentMonotonicMs' | 'isStalled'> {
  const seen = laterProgress(known, stats);
  if (isEmptied(known, stats)) return { progress: seen, sentMonotonicMs, isStalled };
  const { dataProcessed } = seen;
  const isSame = dataProcessed !== undefined && dataProcessed === known.dataProcessed;
  const sinceMs = isSame ? sentMonotonicMs : monotonicMs;
  // Two looks may follow each other at once.
  return { progress: seen, sentMonotonicMs: sinceMs, isStalled: monotonicMs - sinceMs >= STALLED_MS };
}

/** The earliest that a job can have begun, if it says how old it is: when it was asked for, it was no older. */
function earliestBegin({ stats, askedAt }: JobSighting, moment: Moment): Moment | undefined {
  const agoMs = readAmount(stats, 'time_elapsed');
  if (agoMs === undefined) return undefined;
  const { wallMs, monotonicMs } = askedAt ?? moment;
  // The clock may have been set back between the question and the answer.
  return before({ wallMs: Math.min(wallMs, moment.wallMs), monotonicMs }, agoMs);
}

/** By both clocks: libvirt counts by the one on the wall, so a job gets younger when that is set back. */
function isLater(one: Moment | undefined, other: Moment): boolean {
  if (one === undefined) return false;
  return one.wallMs > other.wallMs + ROUNDING_MS && one.monotonicMs > other.monotonicMs + ROUNDING_MS;
}

/** Has another migration take the place of a watch whose end was not seen: it ended before the other began. */
function replace(watch: Watch | undefined, step: WatchStep, began: Moment): WatchStep {
  if (watch === undefined || watch.end !== undefined || !watch.isCertain) return step;
  // Who leaves a host has arrived there.
  const result = watch.role === 'destination' ? completed : failure(watch);
  const monotonicMs = Math.max(watch.startedMonotonicMs, began.monotonicMs);
  return { ...step, ended: { ...watch, end: { monotonicMs, result } } };
}

function begin(role: MigrationRole, moment: Moment, { isEstimated }: { readonly isEstimated: boolean }): WatchStep {
  return { watch: beginWatch(role, moment, { isCertain: true, isEstimated }), effects: ['report'] };
}

function endIfOpen(watch: Watch | undefined, result: MigrationResult, moment: Moment): WatchStep {
  if (watch === undefined || watch.end !== undefined) return stay(watch);
  return watch.isCertain ? end(watch, result, moment) : { watch: undefined, effects: [] };
}

function end(watch: Watch, result: MigrationResult, { monotonicMs }: Moment): WatchStep {
  return {
    watch: { ...watch, end: { monotonicMs: watch.end?.monotonicMs ?? monotonicMs, result } },
    effects: ['report'],
  };
}

/** Ends a departure before libvirt has told the statistics of it, which come right after its event. */
function leave(watch: Watch, moment: Moment): WatchStep {
  const { monotonicMs } = watch.end ?? moment;
  const known = { ...watch, progress: withoutOutlook(watch.progress) };
  return { watch: { ...known, end: { monotonicMs, result: completed, lacksFigures: true } }, effects: ['report'] };
}

function stay(watch: Watch | undefined): WatchStep {
  return { watch, effects: [] };
}

function failure({ suspicion, isStalled, isOutOfSight }: Watch): MigrationResult {
  // When the look came too late: what stood still before was not cancelled by a client, but given up. A daemon that was
  // started anew cancels what it finds under way.
  if (suspicion?.kind === 'cancelled' && (suspicion.isCertain || !(isStalled || isOutOfSight))) {
    return { kind: 'cancelled', error: 'cancelled at the origin, where the guest goes on' };
  }
  return { kind: 'failed', error: 'libvirt gave up: the guest goes on at its origin, whose log of libvirt says why' };
}

function resultOf(stats: JobStats): MigrationResult {
  if (!saysFailure(stats)) return completed;
  return { kind: 'failed', error: readErrorText(stats) ?? 'libvirt calls the job a failure, and does not say why' };
}

/** What a job makes of this host. Nothing if it is no migration. A driver that does not say what it does can mean no other. */
function roleOf(stats: JobStats, watch: Watch | undefined): MigrationRole | undefined {
  const operation = readOperation(stats);
  if (operation === 'migration_out') return 'origin';
  if (operation === 'migration_in') return 'destination';
  return operation === undefined || operation === 'unknown' ? (watch?.role ?? 'origin') : undefined;
}
