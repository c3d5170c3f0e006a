import { describe, expect, it } from 'vitest';

import { OpenStackError, type OpenStackErrorCode, type OpenStackErrorOptions } from './openstack-error.ts';
import { decideRetry, readRetryAfterMs, type Attempt } from './retry.ts';

const read: Attempt = {
  isSafe: true,
  isOnce: false,
  count: 1,
  maxAttempts: 5,
  renewals: new Set(['token', 'versions']),
};
const write: Attempt = { ...read, isSafe: false };
const once: Attempt = { ...write, isOnce: true };
const giveUp = { kind: 'give-up' };

describe('decideRetry', () => {
  it.each<[string, OpenStackError, Attempt, unknown]>([
    ['a read, busy', failed('too-many-requests'), read, wait(200)],
    ['a write, busy', failed('too-many-requests'), write, wait(200)],
    ['a write, busy for long', failed('too-many-requests', { retryAfterMs: 30_001 }), write, giveUp],
    ['a write, busy for a while', failed('too-many-requests', { retryAfterMs: 30_000 }), write, wait(30_000)],
    ['the last attempt', failed('too-many-requests'), { ...read, count: 5 }, giveUp],
    ['the third attempt', failed('connection'), { ...read, count: 3 }, wait(800)],
    ['a read, away', failed('unavailable', { httpStatus: 502 }), read, wait(200)],
    ['a write, away', failed('unavailable', { httpStatus: 503 }), write, giveUp],
    ['a write, put off', failed('unavailable', { httpStatus: 503, retryAfterMs: 0 }), write, wait(200)],
    ['a write, lost by a proxy', failed('unavailable', { httpStatus: 502, retryAfterMs: 0 }), write, giveUp],
    ['a write, never sent', failed('connection', { cause: system('ECONNREFUSED') }), write, wait(200)],
    ['a write, cut off', failed('connection', { cause: system('ECONNRESET') }), write, giveUp],
    [
      'what must not be done twice, never sent',
      failed('connection', { cause: system('ECONNREFUSED') }),
      once,
      wait(200),
    ],
    ['what must not be done twice, cut off', failed('connection', { cause: system('ECONNRESET') }), once, giveUp],
    ['what must not be done twice, busy', failed('too-many-requests'), once, giveUp],
    ['what must not be done twice, put off', failed('unavailable', { httpStatus: 503, retryAfterMs: 0 }), once, giveUp],
    ['what must not be done twice, a refused token', failed('unauthorized'), once, { kind: 'renew', what: 'token' }],
    ['a read, late at the proxy', failed('timeout', { httpStatus: 504 }), read, wait(200)],
    ['a read, late', failed('timeout'), read, giveUp],
    ['a refused token', failed('unauthorized'), write, { kind: 'renew', what: 'token' }],
    ['a refused new token', failed('unauthorized'), { ...write, renewals: new Set() }, giveUp],
    ['a refused token, last attempt', failed('unauthorized'), { ...write, count: 5 }, { kind: 'renew', what: 'token' }],
    ['an unknown version', failed('microversion', { httpStatus: 406 }), write, { kind: 'renew', what: 'versions' }],
    ['no common version', failed('microversion'), write, giveUp],
    ['a full project', failed('quota', { httpStatus: 413, retryAfterMs: 0 }), write, giveUp],
    ['a server error', failed('server', { httpStatus: 500 }), read, giveUp],
    ['a bad answer', failed('bad-answer'), read, giveUp],
  ])('knows what to do about %s', (_name, error, attempt, step) => {
    expect(decideRetry(error, attempt, 1)).toEqual(step);
  });

  it('spreads those who come back at the same time', () => {
    expect(decideRetry(failed('connection'), read, 0)).toEqual(wait(100));
  });
});

it.each([
  [undefined, undefined, undefined],
  ['12', undefined, 12_000],
  ['Wed, 01 Jan 2020 00:00:09 GMT', 'Wed, 01 Jan 2020 00:00:00 GMT', 9000],
  ['Wed, 01 Jan 2020 00:00:00 GMT', 'Wed, 01 Jan 2020 00:00:09 GMT', 0],
  ['Wed, 01 Jan 2020 00:00:09 GMT', undefined, undefined],
  ['soon', 'Wed, 01 Jan 2020 00:00:00 GMT', undefined],
])('reads the Retry-After %s of a server that says it is %s', (header, date, expected) => {
  expect(readRetryAfterMs(header, date)).toBe(expected);
});

function failed(code: OpenStackErrorCode, options: OpenStackErrorOptions = {}): OpenStackError {
  return new OpenStackError(code, code, options);
}

function wait(delayMs: number): unknown {
  return { kind: 'wait', delayMs };
}

function system(code: string): Error {
  return Object.assign(new Error(code), { code });
}
