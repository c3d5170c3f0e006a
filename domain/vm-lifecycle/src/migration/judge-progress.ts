import { MigrationMode } from '@smalt/vm-api';

import type { MigrationSettings } from './migration-settings.ts';

const GIB = 1024n ** 3n;

export interface ProgressFacts {
  readonly settings: Pick<
    MigrationSettings,
    'completionTimeoutPerGiB' | 'progressTimeout' | 'allowPostCopy' | 'allowWorkloadDisruption'
  >;
  /** Memory, and disks that are sent along. */
  readonly totalBytes: bigint;
  readonly remainingBytes: bigint;
  /** The least that was ever left, and when that was; what the last judgement gave back. */
  readonly best: BestProgress | undefined;
  readonly mode: MigrationMode;
  /** When it began, and when it went into its mode. Milliseconds, all by one clock that does not jump. */
  readonly startedAt: number;
  readonly modeSince: number;
  readonly now: number;
}

export interface BestProgress {
  readonly remainingBytes: bigint;
  readonly at: number;
}

/** What to do about a migration that runs. */
export type ProgressStep =
  | { readonly kind: 'continue'; readonly best: BestProgress }
  /** Let the guest run at the target and fetch what is missing there. */
  | { readonly kind: 'post-copy'; readonly best: BestProgress }
  /** Let the guest stand still so that it changes nothing more. */
  | { readonly kind: 'pause'; readonly best: BestProgress }
  | { readonly kind: 'abort'; readonly reason: string; readonly best: BestProgress };

/** Judges whether a migration gets anywhere. One in post-copy is never aborted: half of the guest is at each end. */
export function judgeProgress(facts: ProgressFacts): ProgressStep {
  const { settings, remainingBytes, mode, startedAt, modeSince, now } = facts;
  const best = betterOf(facts.best, { remainingBytes, at: now });
  if (mode === MigrationMode.postCopy) return { kind: 'continue', best };
  const stuckSeconds = Math.floor((now - Math.max(best.at, modeSince)) / 1000);
  if (settings.progressTimeout > 0 && stuckSeconds > settings.progressTimeout) {
    const reason = `Live migration stuck for ${stuckSeconds} sec and has been aborted`;
    return { kind: 'abort', reason, best };
  }
  const allowedSeconds = completionSeconds(facts);
  const since = mode === MigrationMode.paused ? modeSince : startedAt;
  const elapsedSeconds = Math.floor((now - since) / 1000);
  if (allowedSeconds === undefined || elapsedSeconds <= allowedSeconds) return { kind: 'continue', best };
  if (mode === MigrationMode.preCopy && settings.allowPostCopy) return { kind: 'post-copy', best };
  if (mode === MigrationMode.preCopy && settings.allowWorkloadDisruption) return { kind: 'pause', best };
  const reason = `Live migration is not completed after ${elapsedSeconds} sec and has been aborted`;
  return { kind: 'abort', reason, best };
}

/** How long it may take in all; undefined for as long as it likes. A part of a GiB counts as a whole one. */
export function completionSeconds({
  settings,
  totalBytes,
}: Pick<ProgressFacts, 'settings' | 'totalBytes'>): number | undefined {
  if (settings.completionTimeoutPerGiB <= 0) return undefined;
  const gibibytes = Number((totalBytes + GIB - 1n) / GIB);
  return settings.completionTimeoutPerGiB * Math.max(1, gibibytes);
}

function betterOf(known: BestProgress | undefined, latest: BestProgress): BestProgress {
  return known !== undefined && known.remainingBytes <= latest.remainingBytes ? known : latest;
}
