import type { MigrationStatus } from '@smalt/fleet-api';

import { formatGoDuration, parseGoDuration } from './go-duration.ts';
import type { ProgressFields } from './job-progress.ts';

/** What a host is in a migration: where the guest leaves, or where it arrives. */
export type MigrationRole = 'origin' | 'destination';

/** How a migration ended. */
export interface MigrationResult {
  readonly kind: 'completed' | 'failed' | 'cancelled';
  /** Why it did not succeed. */
  readonly error?: string | undefined;
}

/** What one host knows of one migration, by its own clock. */
export interface Observation {
  /** The id of the guest. */
  readonly instance: string;
  readonly role: MigrationRole;
  /** The name of the host that saw it. */
  readonly host: string;
  readonly startedAtMs: number;
  /** Whether the start was worked out afterwards, and may be off by a little. */
  readonly isEstimated: boolean;
  /** How long it has been going on, or did; no clock that is set changes it. */
  readonly elapsedMs: number;
  readonly progress: ProgressFields;
  /** Missing while it goes on. */
  readonly result?: MigrationResult | undefined;
  /** Whether it succeeded and the figures of its end are not known yet. They follow within moments, or not at all. */
  readonly lacksFigures?: boolean | undefined;
}

/** Times of libvirt that are further than this from our own come from a clock that was set. */
const PLAUSIBLE_MS = 5000;

/** The Migration as this one host would tell it. */
export function observedStatus(observation: Observation): MigrationStatus {
  const { role, host, startedAtMs, progress, result } = observation;
  const { timeRemaining, ...rest } = progress;
  return {
    ...rest,
    ...(timeRemaining !== undefined && result === undefined && { timeRemaining }),
    timeElapsed: formatGoDuration(elapsedOf(observation)),
    started: new Date(startedAtMs).toISOString(),
    [role]: host,
    operation: role === 'origin' ? 'migration_out' : 'migration_in',
    type: result?.kind ?? 'unbounded',
    ...(result?.error !== undefined && { errMsg: result.error }),
  };
}

/** How long it took as libvirt counts, unless the clock that it counts by was set. */
function elapsedOf({ elapsedMs, progress }: Observation): number {
  const told = progress.timeElapsed === undefined ? undefined : parseGoDuration(progress.timeElapsed);
  return told !== undefined && Math.abs(told - elapsedMs) <= PLAUSIBLE_MS ? told : elapsedMs;
}
