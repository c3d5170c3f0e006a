import type { Clock } from '@smalt/controller-runtime';
import { DomainJobType, isLibvirtError, type Connection, type Domain } from '@smalt/libvirt';
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
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly clock: Clock;
  readonly ignore: Ignore;
  readonly onProgress: (progress: MigrationProgress) => void;
  readonly onStuck: (reason: string) => void;
}

/** libvirt has no event for progress, so it is asked, but only while something is on its way. */
const LOOK_MS = 1_000;

/** Follows the job of a migration until the signal fires, and does what its progress asks for. */
export async function watchProgress(watch: ProgressWatch, signal: AbortSignal): Promise<void> {
  const { clock } = watch;
  let state: WatchState = {
    mode: MigrationMode.preCopy,
    modeSince: watch.startedAt,
    best: undefined,
    isLimited: false,
  };
  while (!signal.aborted) {
    await clock.wait(LOOK_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
    try {
      state = await look(watch, state, signal);
    } catch (error) {
      if (signal.aborted) return;
      // The migration itself tells what became of it; a question about it that fails changes nothing.
      if (!isLibvirtError(error)) throw error;
      watch.ignore(error, 'the progress of a migration cannot be read');
    }
  }
}

interface WatchState {
  readonly mode: MigrationMode;
  readonly modeSince: number;
  readonly best: BestProgress | undefined;
  /** Whether the downtime was limited; that is possible only once the job runs. */
  readonly isLimited: boolean;
}

async function look(watch: ProgressWatch, state: WatchState, signal: AbortSignal): Promise<WatchState> {
  const { daemon, domain, settings, clock, onProgress } = watch;
  const { type, params } = await daemon.domainGetJobStats({ domain }, { signal });
  const totalBytes = params.data_total ?? 0n;
  if ((type !== DomainJobType.bounded && type !== DomainJobType.unbounded) || totalBytes === 0n) return state;
  if (!state.isLimited) {
    await daemon.domainMigrateSetMaxDowntime({ domain, downtime: BigInt(settings.maxDowntimeMs) }, { signal });
  }
  const remainingBytes = params.data_remaining ?? 0n;
  const now = clock.now();
  const step = judgeProgress({ ...state, settings, totalBytes, remainingBytes, startedAt: watch.startedAt, now });
  const mode = await carryOut(step, state.mode, watch, signal);
  const { memory_bps: memoryBytesPerSecond = 0n, auto_converge_throttle: throttlePercent = 0 } = params;
  onProgress({ mode, totalBytes, remainingBytes, memoryBytesPerSecond, throttlePercent });
  return { mode, modeSince: mode === state.mode ? state.modeSince : now, best: step.best, isLimited: true };
}

async function carryOut(
  step: ProgressStep,
  mode: MigrationMode,
  { daemon, domain, onStuck }: ProgressWatch,
  signal: AbortSignal,
): Promise<MigrationMode> {
  switch (step.kind) {
    case 'continue':
      return mode;
    case 'abort':
      onStuck(step.reason);
      return mode;
    case 'post-copy':
      await daemon.domainMigrateStartPostCopy({ domain }, { signal });
      return MigrationMode.postCopy;
    case 'pause':
      await daemon.domainSuspend({ domain }, { signal });
      return MigrationMode.paused;
  }
}
