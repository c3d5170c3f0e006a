import type { MigrationStatus } from '@smalt/fleet-api';
import { expect, it } from 'vitest';

import { formatGoDuration } from './go-duration.ts';
import type { Observation } from './observation.ts';
import { placeObservation, type PlacementContext } from './place-observation.ts';

type Written = PlacementContext['written'];
type Row = readonly [string, Observation, MigrationStatus | undefined, Written, ReturnType<typeof placeObservation>];

const FIRST_MS = Date.UTC(2026, 0, 1);

const rows: readonly Row[] = [
  ['there is no record', origin(0), undefined, 'never', 'join'],
  ['it wrote this very record before', origin(0), told({ origin: 'a' }, 50), 'here', 'join'],
  // The other side was first.
  ['the destination was first', origin(0), told({ destination: 'b' }, 0.5), 'never', 'join'],
  ['the origin was first', destination(0.5), told({ origin: 'a' }, 0), 'never', 'join'],
  ['the destination was minutes late', destination(120), told({ origin: 'a' }, 0, 121), 'never', 'join'],
  ['the clocks differ a little', destination(-3), told({ origin: 'a' }, 0), 'never', 'join'],
  ['the clocks differ much', destination(-30), told({ origin: 'a' }, 0), 'never', 'aside'],
  ['the record was left behind by a dead origin', destination(300), told({ origin: 'a' }, 0, 2), 'never', 'aside'],
  ['the record was left behind by a dead destination', origin(300), told({ destination: 'b' }, 0), 'never', 'aside'],
  // Both are over.
  ['both ended together', destination(0.5, 2), told({ origin: 'a' }, 0, 2.5, 'completed'), 'never', 'join'],
  ['the destination noticed late', destination(0.5, 20), told({ origin: 'a' }, 0, 4, 'failed'), 'never', 'join'],
  [
    'the origin told first, of a longer one',
    destination(0, 1),
    told({ origin: 'a' }, 0, 60, 'failed'),
    'never',
    'stale',
  ],
  ['an older result comes late', destination(0, 2), told({ origin: 'a' }, 60, 2, 'completed'), 'never', 'stale'],
  ['a newer result', destination(60, 2), told({ origin: 'a' }, 0, 2, 'completed'), 'never', 'aside'],
  // The record is over and the migration is not.
  [
    'the other end may come any moment',
    going(destination(0.5), 2),
    told({ origin: 'a' }, 0, 2, 'failed'),
    'never',
    'wait',
  ],
  ['a retry begins at once', going(destination(3), 0), told({ origin: 'a' }, 0, 2, 'failed'), 'never', 'wait'],
  ['the retry goes on', going(destination(3), 5), told({ origin: 'a' }, 0, 2, 'failed'), 'never', 'aside'],
  [
    'the record is of yesterday',
    going(destination(80_000), 0),
    told({ origin: 'a' }, 0, 2, 'completed'),
    'never',
    'aside',
  ],
  // Roles.
  [
    'the guest goes back',
    origin(3, undefined, 'b'),
    told({ origin: 'a', destination: 'b' }, 0, 2, 'completed'),
    'never',
    'begin-anew',
  ],
  [
    'the destination became the origin at once',
    origin(1, undefined, 'b'),
    told({ destination: 'b' }, 0),
    'never',
    'begin-anew',
  ],
  ['another host is the destination', destination(1), told({ origin: 'a', destination: 'c' }, 0), 'never', 'aside'],
  ['another host was the destination', destination(1, 1), told({ destination: 'c' }, 60), 'never', 'stale'],
  // Its own earlier ones.
  ['its answer got lost', origin(0), told({ origin: 'a' }, 0), 'never', 'join'],
  ['it tries again a second later', origin(1), told({ origin: 'a' }, 0, 0.5, 'failed'), 'never', 'begin-anew'],
  ['it lost its memory', estimated(origin(0.2)), told({ origin: 'a' }, 0, 5), 'never', 'join'],
  ['it lost its memory long ago', estimated(origin(500)), told({ origin: 'a' }, 0, 5), 'never', 'begin-anew'],
  [
    'another host took its place',
    going(destination(1), 2),
    told({ origin: 'a', destination: 'a' }, 0),
    'here',
    'aside',
  ],
  // Somebody put the record away.
  ['a record of the other side stands there', origin(0), told({ destination: 'b' }, 1), 'elsewhere', 'join'],
  ['a later record stands there', origin(0, 2), told({ origin: 'b' }, 60), 'elsewhere', 'stale'],
  [
    'clocks differ, and it began anew before',
    going(origin(0), 2),
    told({ destination: 'b' }, -60),
    'elsewhere',
    'stale',
  ],
];

it.each(rows)('when %s', (...[, observation, record, written, placement]) => {
  expect(placeObservation(observation, record, { written, toleranceMs: 5000, isPatient: false })).toBe(placement);
});

it('waits a while for the hosts of an earlier migration to put its record away, and for nobody else', () => {
  const record = told({ origin: 'a', destination: 'b' }, 0, 2, 'completed');
  const context = { written: 'never', toleranceMs: 5000, isPatient: true } as const;

  const placed = [origin(60, undefined, 'b'), destinationAt('c', 60)].map((each) =>
    placeObservation(each, record, context),
  );

  expect(placed).toEqual(['begin-anew', 'wait']);
});

function origin(second: number, lasted?: number, host = 'a'): Observation {
  return {
    instance: 'guest',
    role: 'origin',
    host,
    startedAtMs: FIRST_MS + second * 1000,
    isEstimated: false,
    elapsedMs: (lasted ?? 0) * 1000,
    progress: {},
    ...(lasted !== undefined && { result: { kind: 'completed' } }),
  };
}

function destination(second: number, lasted?: number): Observation {
  return { ...origin(second, lasted), role: 'destination', host: 'b' };
}

function destinationAt(host: string, second: number): Observation {
  return { ...destination(second), host };
}

function going(observation: Observation, seconds: number): Observation {
  return { ...observation, elapsedMs: seconds * 1000 };
}

function estimated(observation: Observation): Observation {
  return { ...observation, isEstimated: true };
}

function told(hosts: Partial<MigrationStatus>, second: number, lasted = 0, type = 'unbounded'): MigrationStatus {
  const started = new Date(FIRST_MS + second * 1000).toISOString();
  return { ...hosts, started, type, timeElapsed: formatGoDuration(lasted * 1000) };
}
