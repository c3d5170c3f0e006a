import type { Clock } from '@smalt/controller-runtime';
import {
  DomainJobType,
  isAborted,
  isConnectionLost,
  isLibvirtError,
  isTimeout,
  type Connection,
  type Domain,
} from '@smalt/libvirt';
import type { Ignore } from '@smalt/service-runtime';
import { MigrationMode } from '@smalt/vm-api';
import { judgeProgress, type BestProgress, type MigrationSettings, type ProgressStep } from '@smalt/vm-lifecycle';

/** How far a migration is. */
export interface MigrationProgress {
  readonly mode: MigrationMode;
  readonly totalBytes: bigint;
  readonly remainingBytes: bigint;
  readonly memoryBytesPerSecond: bigint;
  /** By how much the guest is slowed down. */
  readonly throttlePercent: number;
}

export interface ProgressWatch {
  readonly daemon: Pick<
    Connection,
    'domainGetJobStats' | 'domainMigrateSetMaxDowntime' | 'domainMigrateStartPostCopy' | 'domainSuspend'
  >;
  readonly domain: Domain;
  readonly settings: MigrationSettings;
  /** By the clock that never jumps. */
  readonly startedAt: number;
  readonly clock: Clock;
  readonly ignore: Ignore;
  readonly onProgress: (progress: MigrationProgress) => void;
  readonly onStuck: (reason: string) => void;
}

/** libvirt has no event for progress, so it is asked, but only while something is on its way. */
const LOOK_MS = 1_000;

/** A daemon that hangs must not keep anybody from judging. */
const LOOK_TIMEOUT_MS = 5_000;
/** libvirt itself gives up after 30 s: whoever waits longer knows in most cases whether it was done. */
const ACT_TIMEOUT_MS = 40_000;
/** More than any guest has: what is left as long as nobody has told. */
const UNKNOWN_BYTES = 2n ** 64n;

/**
 * Follows the job of a migration until the signal fires, and does what its progress asks for. While libvirt does not tell
 * how far it is, it is as far as was told last: the limits hold all the same.
 */
export async function watchProgress(watch: ProgressWatch, signal: AbortSignal): Promise<void> {
  const { clock, startedAt } = watch;
  let state: WatchState = {
    mode: MigrationMode.preCopy,
    modeSince: startedAt,
    best: { remainingBytes: UNKNOWN_BYTES, at: clock.monotonic() },
    told: undefined,
    isLimited: false,
  };
  while (!signal.aborted) {
    await clock.wait(LOOK_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
    state = await look(watch, state, signal);
  }
}

type ToldProgress = Omit<MigrationProgress, 'mode'>;

interface WatchState {
  readonly mode: MigrationMode;
  readonly modeSince: number;
  readonly best: BestProgress;
  /** What libvirt told last; undefined before the job runs. */
  readonly told: ToldProgress | undefined;
  /** Whether the downtime was limited; that is possible only once the job runs. */
  readonly isLimited: boolean;
}

async function look(watch: ProgressWatch, state: WatchState, signal: AbortSignal): Promise<WatchState> {
  const { clock, startedAt, settings } = watch;
  const answer = await readJob(watch, signal);
  if (signal.aborted) return state;
  const now = clock.monotonic();
  if (answer === 'idle') return state.told === undefined ? { ...state, best: { ...state.best, at: now } } : state;
  const told = answer === 'silent' ? state.told : answer;
  const isLimited = state.isLimited || (answer !== 'silent' && (await limitDowntime(watch, signal)));
  const { totalBytes = 0n, remainingBytes = UNKNOWN_BYTES } = told ?? {};
  // How long all of it may take follows from how much there is.
  const limits = told === undefined ? { ...settings, completionTimeoutPerGiB: 0 } : settings;
  const step = judgeProgress({ ...state, settings: limits, totalBytes, remainingBytes, startedAt, now });
  const mode = signal.aborted ? state.mode : await carryOut(step, state.mode, watch, signal);
  if (told !== undefined) watch.onProgress({ mode, ...told });
  return { mode, modeSince: mode === state.mode ? state.modeSince : now, best: step.best, told, isLimited };
}

/** How far the job is: `idle` when there is none yet, `silent` when libvirt does not say. */
async function readJob(
  { daemon, domain, ignore }: ProgressWatch,
  signal: AbortSignal,
): Promise<ToldProgress | 'idle' | 'silent'> {
  try {
    const { type, params } = await daemon.domainGetJobStats({ domain }, { signal, timeoutMs: LOOK_TIMEOUT_MS });
    const { data_total: totalBytes = 0n, data_remaining: remainingBytes = 0n } = params;
    if ((type !== DomainJobType.bounded && type !== DomainJobType.unbounded) || totalBytes === 0n) return 'idle';
    const { memory_bps: memoryBytesPerSecond = 0n, auto_converge_throttle: throttlePercent = 0 } = params;
    return { totalBytes, remainingBytes, memoryBytesPerSecond, throttlePercent };
  } catch (error) {
    // The migration itself tells what became of it; a question about it that fails changes nothing.
    if (!isLibvirtError(error)) throw error;
    if (!signal.aborted) ignore(error, 'the progress of a migration cannot be read');
    return 'silent';
  }
}

/** Returns whether it was done; the next look tries again. */
async function limitDowntime(
  { daemon, domain, settings, ignore }: ProgressWatch,
  signal: AbortSignal,
): Promise<boolean> {
  const options = { signal, timeoutMs: LOOK_TIMEOUT_MS };
  try {
    await daemon.domainMigrateSetMaxDowntime({ domain, downtime: BigInt(settings.maxDowntimeMs) }, options);
    return true;
  } catch (error) {
    if (!isLibvirtError(error)) throw error;
    if (!signal.aborted) ignore(error, 'the downtime of a migration cannot be limited');
    return false;
  }
}

/** Returns the mode that the migration is in then. What may have been done counts as done. */
async function carryOut(
  step: ProgressStep,
  mode: MigrationMode,
  { daemon, domain, ignore, onStuck }: ProgressWatch,
  signal: AbortSignal,
): Promise<MigrationMode> {
  const options = { signal, timeoutMs: ACT_TIMEOUT_MS };
  try {
    switch (step.kind) {
      case 'continue':
        return mode;
      case 'abort':
        onStuck(step.reason);
        return mode;
      case 'post-copy':
        await daemon.domainMigrateStartPostCopy({ domain }, options);
        return MigrationMode.postCopy;
      case 'pause':
        await daemon.domainSuspend({ domain }, options);
        return MigrationMode.paused;
    }
  } catch (error) {
    if (!isLibvirtError(error)) throw error;
    ignore(error, 'a migration cannot be brought to its end by other means');
    const isOpen = isTimeout(error) || isConnectionLost(error) || isAborted(error);
    if (!isOpen) return mode;
    return step.kind === 'post-copy' ? MigrationMode.postCopy : MigrationMode.paused;
  }
}
