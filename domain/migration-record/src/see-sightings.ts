import { advanceWatch, type Sighting, type WatchEffect } from './advance-watch.ts';
import type { Observation } from './observation.ts';
import { observationOf, type Moment, type Watch } from './watch.ts';

/** When tests begin to see. */
export const FIRST_MS: number = Date.UTC(2026, 0, 1);
/** The guest that is seen, and where. */
export const self = { instance: 'guest', host: 'a' } as const;
/** QEMU begins to send. */
export const iteration: Sighting = { kind: 'iteration', iteration: 1 };

/** Shows sightings to a watch, one a second, and gives what it told meanwhile. */
export function see(...sightings: readonly Sighting[]): {
  readonly watch: Watch | undefined;
  readonly told: readonly string[];
  readonly effects: readonly WatchEffect[];
  /** Those that another took the place of. */
  readonly ended: readonly Observation[];
} {
  let watch: Watch | undefined;
  const told: string[] = [];
  const all: WatchEffect[] = [];
  const ended: Observation[] = [];
  for (const [second, sighting] of sightings.entries()) {
    const moment: Moment = { wallMs: FIRST_MS + second * 1000, monotonicMs: second * 1000 };
    const step = advanceWatch(watch, sighting, moment);
    watch = step.watch;
    all.push(...step.effects);
    const before = step.ended && observationOf(step.ended, self, moment);
    const now = watch && step.effects.includes('report') ? observationOf(watch, self, moment) : undefined;
    if (before !== undefined) ended.push(before);
    told.push(...[before, now].filter((each) => each !== undefined).map(wordsOf));
  }
  return { watch, told, effects: all, ended };
}

function wordsOf({ role, progress, result }: Observation): string {
  return [role, progress.memIteration, result?.kind].filter((word) => word !== undefined).join(' ');
}

export function outgoing(elapsed: bigint, sent?: bigint): Sighting {
  return job('unbounded', { operation: 5, time_elapsed: elapsed, memory_iteration: 1n, data_processed: sent });
}

export function job(
  type: Extract<Sighting, { kind: 'job' }>['type'],
  stats: Readonly<Record<string, unknown>> = {},
): Sighting {
  return { kind: 'job', type, stats };
}

export function pastJob(
  type: 'completed' | 'none',
  stats: Readonly<Record<string, unknown>>,
  isRunning: boolean,
): Sighting {
  return { kind: 'past-job', type, stats, isRunning };
}

export function monitor(status: string): Sighting {
  return { kind: 'monitor', status };
}

export function missing(hasMigrated: boolean): Sighting {
  return { kind: 'missing', hasMigrated };
}

export function lifecycle(what: string): Sighting {
  const [event = '', detail = ''] = what.split(' ');
  return { kind: 'lifecycle', event, detail };
}
