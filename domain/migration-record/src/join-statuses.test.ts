import type { MigrationStatus } from '@smalt/fleet-api';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { intervalOf, isFinal, joinAccounts, joinStatuses } from './join-statuses.ts';

describe('joinStatuses', () => {
  it.each([
    {
      what: 'a destination adds itself to what the origin tells',
      left: origin({ timeElapsed: '3s', memIteration: 2 }),
      right: destination({ started: at(1) }),
      joined: { ...origin({ timeElapsed: '3s', memIteration: 2 }), destination: 'b' },
    },
    {
      what: 'an end is not overwritten by progress that comes late',
      left: destination({ type: 'completed', timeElapsed: '4s' }),
      right: origin({ timeElapsed: '3s' }),
      joined: { ...destination({ type: 'completed', timeElapsed: '4s' }), started: at(0), origin: 'a' },
    },
    {
      what: 'who saw it succeed knows better than who lost sight of it',
      left: origin({ type: 'failed', errMsg: 'the end was not seen' }),
      right: destination({ type: 'completed' }),
      joined: { ...destination({ type: 'completed' }), started: at(0), origin: 'a' },
    },
    {
      what: 'a destination whose guest failed does not know that it was cancelled',
      left: origin({ type: 'cancelled', errMsg: 'by client' }),
      right: destination({ type: 'failed', errMsg: 'stopped' }),
      joined: { ...origin({ type: 'cancelled', errMsg: 'by client' }), destination: 'b' },
    },
    {
      what: 'of two ends alike the origin tells more',
      left: destination({ type: 'completed', dataTotal: '1 B' }),
      right: origin({ type: 'completed', dataTotal: '2 B' }),
      joined: { ...origin({ type: 'completed', dataTotal: '2 B' }), destination: 'b' },
    },
    {
      what: 'who tells how long the guest stood still has seen the end, however long it seemed to take before',
      left: origin({ type: 'completed', timeElapsed: '9s', dataProcessed: '4.0 MiB' }),
      right: origin({ type: 'completed', timeElapsed: '8.2s', dataProcessed: '89.1 MiB', downtime: '79ms' }),
      joined: origin({ type: 'completed', timeElapsed: '8.2s', dataProcessed: '89.1 MiB', downtime: '79ms' }),
    },
    {
      what: 'a destination that tells how long the guest stood still knows better than an origin that does not',
      left: origin({ type: 'completed', dataProcessed: '4.0 MiB' }),
      right: destination({ type: 'completed', dataProcessed: '89.1 MiB', downtime: '79ms' }),
      joined: {
        ...destination({ type: 'completed', dataProcessed: '89.1 MiB', downtime: '79ms' }),
        started: at(0),
        origin: 'a',
      },
    },
    {
      what: 'of one host the later account counts',
      left: origin({ timeElapsed: '10s', memIteration: 5 }),
      right: origin({ timeElapsed: '9s', memIteration: 4 }),
      joined: origin({ timeElapsed: '10s', memIteration: 5 }),
    },
  ])('$what', ({ left, right, joined }) => {
    expect(joinStatuses(left, right)).toEqual(joined);
    expect(joinStatuses(right, left)).toEqual(joined);
  });

  it('comes to the same in whatever order and however often accounts arrive', () => {
    fc.assert(
      fc.property(fc.array(account, { minLength: 1, maxLength: 6 }), fc.gen(), (accounts, random) => {
        const arrivals = random(() => fc.shuffledSubarray([...accounts, ...accounts], { minLength: accounts.length }));
        const all = [...arrivals, ...accounts.filter((each) => !arrivals.includes(each))];

        expect(all.reduce(joinStatuses)).toEqual(accounts.reduce(joinStatuses));
      }),
    );
  });

  it('is never less of an end than before', () => {
    fc.assert(
      fc.property(account, account, (record, late) => {
        fc.pre(isFinal(record));

        expect(isFinal(joinStatuses(record, late))).toBe(true);
      }),
    );
  });
});

describe('joinAccounts', () => {
  const far = { dataProcessed: '10.4 MiB', memIteration: 2 };
  const near = { dataProcessed: '900.0 KiB', memIteration: 1 };

  it.each([
    {
      what: 'a destination that lost its origin has seen no progress',
      left: origin({ ...far, timeElapsed: '3s', timeRemaining: '9s' }),
      right: destination({ type: 'failed', errMsg: 'stopped', timeElapsed: '4s' }),
      joined: { type: 'failed', operation: 'migration_in', errMsg: 'stopped', timeElapsed: '4s', ...far },
    },
    {
      what: 'an agent that was started anew remembers less than it has told',
      left: origin({ ...far, timeElapsed: '3s' }),
      right: origin({ ...near, type: 'failed', errMsg: 'not seen', timeElapsed: '9s' }),
      joined: { type: 'failed', operation: 'migration_out', errMsg: 'not seen', timeElapsed: '9s', ...far },
    },
    {
      what: 'a success whose statistics nobody has seen',
      left: origin({ ...far, timeElapsed: '3s' }),
      right: destination({ type: 'completed', dataProcessed: '0 B', timeElapsed: '4s' }),
      joined: { type: 'completed', operation: 'migration_in', timeElapsed: '4s', ...far },
    },
    {
      what: 'a success has nothing left of what was expected',
      left: origin({ ...far, timeRemaining: '9s', downtime: '300ms', dataRemaining: '1 B', memRemaining: '1 B' }),
      right: destination({ type: 'completed', timeElapsed: '4s' }),
      joined: { type: 'completed', operation: 'migration_in', timeElapsed: '4s', ...far },
    },
    {
      what: 'a success of which libvirt tells the times alone, as a destination does after a post-copy',
      left: origin({ ...far, type: 'completed', timeElapsed: '4s' }),
      right: destination({ type: 'completed', timeElapsed: '3s', downtime: '79ms' }),
      joined: { type: 'completed', operation: 'migration_in', timeElapsed: '3s', downtime: '79ms', ...far },
    },
    {
      what: 'the statistics of a success are those of its end',
      left: origin({ ...far, type: 'failed', errMsg: 'not seen' }),
      right: destination({ ...near, type: 'completed', timeElapsed: '4s' }),
      joined: { type: 'completed', operation: 'migration_in', timeElapsed: '4s', ...near },
    },
    {
      what: 'what goes on is told by the last word alone',
      left: origin({ ...far, timeElapsed: '3s' }),
      right: origin({ ...near, timeElapsed: '9s' }),
      joined: { type: 'unbounded', operation: 'migration_out', timeElapsed: '9s', ...near },
    },
  ])('keeps the last figures that were seen: $what', ({ left, right, joined }) => {
    const destinations = { ...(right.destination !== undefined && { destination: right.destination }) };
    const whole = { started: at(0), origin: 'a', ...destinations, ...joined };

    expect(joinAccounts(left, right)).toEqual(whole);
    expect(joinAccounts(right, left)).toEqual(whole);
  });

  it('changes nothing when the same is told once more', () => {
    const figured = fc
      .tuple(account, fc.constantFrom('0 B', '1.0 KiB', '2.0 MiB', undefined), fc.constantFrom('1.0 KiB', undefined))
      .map(([status, dataProcessed, dataRemaining]) => ({
        ...status,
        ...(dataProcessed !== undefined && { dataProcessed }),
        ...(dataRemaining !== undefined && { dataRemaining }),
      }));
    fc.assert(
      fc.property(figured, figured, (left, right) => {
        const joined = joinAccounts(left, right);

        expect(joinAccounts(right, left)).toEqual(joined);
        expect(joinAccounts(joined, right)).toEqual(joined);
        expect(joinAccounts(joined, left)).toEqual(joined);
      }),
    );
  });
});

it('knows from when to when a migration went', () => {
  const interval = intervalOf(origin({ timeElapsed: '1m5s' }));

  expect(interval.endMs - interval.startMs).toBe(65_000);
});

const account: fc.Arbitrary<MigrationStatus> = fc
  .record({
    isOrigin: fc.boolean(),
    type: fc.constantFrom('unbounded', 'bounded', 'failed', 'cancelled', 'completed'),
    seconds: fc.integer({ min: 0, max: 3 }),
    memIteration: fc.integer({ min: 0, max: 3 }),
    errMsg: fc.constantFrom('one', 'two'),
    downtime: fc.constantFrom('7ms', '79ms', undefined),
  })
  .map(({ isOrigin, seconds, downtime, ...told }) => {
    const fields = { ...told, timeElapsed: `${seconds}s`, ...(downtime !== undefined && { downtime }) };
    return isOrigin ? origin(fields) : destination({ ...fields, started: at(seconds) });
  });

function origin(fields: Partial<MigrationStatus>): MigrationStatus {
  return { origin: 'a', started: at(0), type: 'unbounded', operation: 'migration_out', ...fields };
}

function destination(fields: Partial<MigrationStatus>): MigrationStatus {
  return { destination: 'b', started: at(1), type: 'unbounded', operation: 'migration_in', ...fields };
}

function at(second: number): string {
  return new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
}
