import type { MigrationStatus } from '@smalt/fleet-api';

import { intervalOf, isFinal } from './join-statuses.ts';
import type { Observation } from './observation.ts';
import { hasRoomFor, isOfHost } from './record-hosts.ts';

/** What an observation is to the record that bears the guest's id. */
export type Placement =
  /** It is of the same migration. */
  | 'join'
  /** The record is of an earlier migration of this host, which is to be kept under another name. */
  | 'begin-anew'
  /** The record is of an earlier migration of others, who alone may touch it; this one is kept beside it. */
  | 'aside'
  /** It may be either; soon it will be clear. */
  | 'wait'
  /** The record is of a later migration; look among those that are kept. */
  | 'stale';

export interface PlacementContext {
  /** Whether this observation was written before, and where to: into this very object, or another. */
  readonly written: 'never' | 'here' | 'elsewhere';
  /** By how much the clocks of two hosts may differ, and one may notice later than the other. */
  readonly toleranceMs: number;
  /** Whether to give the hosts of an earlier migration time to put its record away. */
  readonly isPatient: boolean;
}

/** A record that nobody has touched for so long, and that is not over, was left behind by a host that died. */
const LEFT_BEHIND_MS = 60_000;

/**
 * Decides whether what a host sees is the migration that the record tells of. The hosts share no id, so it goes by who
 * is what, by what is over, and by time as far as clocks can be trusted.
 */
export function placeObservation(
  observation: Observation,
  record: MigrationStatus | undefined,
  context: PlacementContext,
): Placement {
  if (record === undefined || (context.written === 'here' && hasRoomFor(record, observation))) return 'join';
  const isSame = isSameMigration(observation, record, context);
  if (isSame === true) return 'join';
  // Beginning anew twice would have two hosts whose clocks differ put each other's records away for ever.
  if (context.written === 'elsewhere') return 'stale';
  if (isSame === undefined) return 'wait';
  // A guest moves once at a time: what goes on now is later than whatever else is told of it.
  const isLater = observation.result === undefined || observation.startedAtMs > intervalOf(record).startMs;
  if (!isLater) return 'stale';
  if (isOfHost(record, observation.host)) return 'begin-anew';
  return context.isPatient ? 'wait' : 'aside';
}

/** Nothing when it cannot be told yet. */
function isSameMigration(
  observation: Observation,
  record: MigrationStatus,
  { toleranceMs }: PlacementContext,
): boolean | undefined {
  const { role, host } = observation;
  const other = role === 'origin' ? record.destination : record.origin;
  const own = record[role];
  if (other === host) return false;
  if (own === undefined) return fits(observation, record, toleranceMs);
  if (own !== host) return false;
  if (Date.parse(record.started) === observation.startedAtMs) return true;
  return observation.isEstimated && fits(observation, record, toleranceMs) === true;
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
  readonly isOver: boolean;
}

function fits(observation: Observation, record: MigrationStatus, toleranceMs: number): boolean | undefined {
  const seen: Span = {
    startMs: observation.startedAtMs,
    endMs: observation.startedAtMs + observation.elapsedMs,
    isOver: observation.result !== undefined,
  };
  const told: Span = { ...intervalOf(record), isOver: isFinal(record) };
  // A record that the origin has joined has its times; so an origin compares like with like, apart from the other role.
  const [origin, destination] = observation.role === 'origin' ? [seen, told] : [told, seen];
  // The origin begins first, maybe by minutes: the destination has to get its memory ready.
  if (destination.startMs < origin.startMs - toleranceMs) return false;
  const originEndMs = origin.isOver ? origin.endMs : origin.endMs + LEFT_BEHIND_MS;
  if (destination.startMs > originEndMs + toleranceMs) return false;
  if (seen.isOver && told.isOver) return endsTogether(origin, destination, toleranceMs);
  if (!seen.isOver && told.isOver) return seen.endMs > told.endMs + toleranceMs ? false : undefined;
  return true;
}

// A destination that lost its origin notices it late, but never before the origin gave up.
function endsTogether(origin: Span, destination: Span, toleranceMs: number): boolean {
  return destination.endMs >= origin.endMs - toleranceMs;
}
