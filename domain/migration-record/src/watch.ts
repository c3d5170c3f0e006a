import { progressFields, readAmount, type JobStats, type ProgressFields } from './job-progress.ts';
import type { MigrationResult, MigrationRole, Observation } from './observation.ts';

/** When something was seen: by the clock on the wall, and by one that cannot be set. */
export interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** What is known of one migration on one host. Of fixed size, however long the migration takes. */
export interface Watch {
  readonly role: MigrationRole;
  readonly startedAtMs: number;
  readonly startedMonotonicMs: number;
  readonly isEstimated: boolean;
  /** The latest that its job can have begun, by the last look at it: a job that began later is another one. */
  readonly jobBegan: Moment;
  /** Whether it is a migration for sure: saving a guest begins in the same way. */
  readonly isCertain: boolean;
  readonly progress: ProgressFields;
  /** How it will end, by what was seen before the end, and whether libvirt said so itself. */
  readonly suspicion?: { readonly kind: 'failed' | 'cancelled'; readonly isCertain: boolean } | undefined;
  /** Whether the daemon was out of reach and the job was not seen since: one that was started anew has none. */
  readonly isOutOfSight: boolean;
  /** When it was first seen that as much had been sent as at the last look, and whether that is long ago. */
  readonly sentMonotonicMs: number;
  readonly isStalled: boolean;
  /** Since when the domain has been missing each time that it was looked for. */
  readonly missingSinceMs?: number | undefined;
  /** Whether QEMU has said that all is sent: a guest that is gone after that has left. */
  readonly hasSentAll: boolean;
  /** Whether a guest on its way in was seen to run, while the daemon had no statistics of its journey yet. */
  readonly hasArrived: boolean;
  readonly end?: WatchEnd | undefined;
}

interface WatchEnd {
  readonly monotonicMs: number;
  readonly result: MigrationResult;
  /** Whether nobody has seen it: what comes later may know better. */
  readonly isGuess?: boolean | undefined;
  /** Whether libvirt has not told the statistics of it yet. */
  readonly lacksFigures?: boolean | undefined;
}

/** A watch that begins now, or began as long ago as the statistics say. */
export function beginWatch(
  role: MigrationRole,
  moment: Moment,
  options: { readonly stats?: JobStats; readonly isCertain: boolean; readonly isEstimated: boolean },
): Watch {
  const { stats = {}, isCertain, isEstimated } = options;
  const began = before(moment, readAmount(stats, 'time_elapsed') ?? 0);
  return {
    role,
    startedAtMs: began.wallMs,
    startedMonotonicMs: began.monotonicMs,
    isEstimated,
    jobBegan: began,
    isCertain,
    progress: progressFields(stats),
    isOutOfSight: false,
    sentMonotonicMs: moment.monotonicMs,
    isStalled: false,
    hasSentAll: false,
    hasArrived: false,
  };
}

/** The moment so long before another. */
export function before({ wallMs, monotonicMs }: Moment, agoMs: number): Moment {
  return { wallMs: wallMs - agoMs, monotonicMs: monotonicMs - agoMs };
}

/** Goes on with what was observed before the agent was started anew. */
export function resumeWatch(observation: Observation, moment: Moment): Watch {
  const agoMs = Math.max(0, moment.wallMs - observation.startedAtMs);
  return {
    role: observation.role,
    startedAtMs: observation.startedAtMs,
    startedMonotonicMs: moment.monotonicMs - agoMs,
    isEstimated: true,
    jobBegan: { wallMs: observation.startedAtMs, monotonicMs: moment.monotonicMs - agoMs },
    isCertain: true,
    progress: observation.progress,
    isOutOfSight: true,
    sentMonotonicMs: moment.monotonicMs,
    isStalled: false,
    // What happened to it meanwhile was told to nobody, so there is no word of its end to wait for.
    missingSinceMs: -Infinity,
    hasSentAll: false,
    hasArrived: false,
  };
}

/** What a watch has to tell. */
export function observationOf(
  watch: Watch,
  self: { readonly instance: string; readonly host: string },
  moment: Moment,
): Observation {
  const untilMs = watch.end?.monotonicMs ?? moment.monotonicMs;
  return {
    ...self,
    role: watch.role,
    startedAtMs: watch.startedAtMs,
    isEstimated: watch.isEstimated,
    elapsedMs: Math.max(0, Math.round(untilMs - watch.startedMonotonicMs)),
    progress: watch.progress,
    ...(watch.end !== undefined && { result: watch.end.result }),
    ...(watch.end?.lacksFigures === true && { lacksFigures: true }),
  };
}
