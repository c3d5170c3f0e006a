import { isComputeError } from '@smalt/compute';
import { OpenStackError, type OpenStackErrorCode } from '@smalt/openstack';
import { describe, expect, it } from 'vitest';

import { asComputeErrors, toComputeError, unlessGone } from './to-compute-error.ts';

describe('toComputeError', () => {
  const rows: readonly (readonly [OpenStackErrorCode, string, string])[] = [
    ['aborted', 'aborted', 'aborted'],
    ['bad-answer', 'unavailable', 'unknown-fate'],
    ['bad-argument', 'refused', 'refused'],
    ['bad-config', 'unavailable', 'unavailable'],
    ['bad-request', 'refused', 'refused'],
    ['concurrent-update', 'stale', 'stale'],
    ['conflict', 'conflict', 'conflict'],
    ['connection', 'unavailable', 'unknown-fate'],
    ['forbidden', 'refused', 'refused'],
    ['in-use', 'conflict', 'conflict'],
    ['microversion', 'refused', 'refused'],
    ['no-endpoint', 'unavailable', 'unavailable'],
    ['not-found', 'not-found', 'not-found'],
    ['quota', 'refused', 'refused'],
    ['server', 'unavailable', 'unknown-fate'],
    ['timeout', 'unavailable', 'unknown-fate'],
    ['too-large', 'refused', 'refused'],
    ['too-many-requests', 'unavailable', 'unavailable'],
    ['unauthorized', 'unavailable', 'unavailable'],
    ['unavailable', 'unavailable', 'unknown-fate'],
  ];

  it.each(rows)('makes of %s %s for a read and %s for a write', (code, ofRead, ofWrite) => {
    const error = new OpenStackError(code, 'compute: GET /servers: so it is (req-1)');

    expect(toComputeError(error, 'read')).toMatchObject({ name: 'ComputeError', code: ofRead });
    expect(toComputeError(error, 'write')).toMatchObject({ name: 'ComputeError', code: ofWrite });
  });

  it.each([
    ['bad-request', 'No valid host was found. There are not enough hosts available.', 'no-target'],
    ['server', 'No valid host was found for cold migrate', 'no-target'],
    ['conflict', 'NO VALID HOST WAS FOUND', 'no-target'],
    ['bad-request', 'Compute host node9 could not be found.', 'refused'],
    ['not-found', 'No valid host was found', 'not-found'],
  ] as const)('takes a %s that says "%s" for %s', (code, message, expected) => {
    expect(toComputeError(new OpenStackError(code, message), 'write')).toMatchObject({ code: expected });
  });

  it('keeps the message with its request id, how long to wait, and the cause', () => {
    const cause = new OpenStackError('too-many-requests', 'compute: POST /servers: busy (req-7)', {
      retryAfterMs: 5_000,
    });

    const error = toComputeError(cause, 'write', (message) => `cannot do it due to ${message}`);

    expect(error).toMatchObject({
      message: 'cannot do it due to compute: POST /servers: busy (req-7)',
      retryAfterMs: 5_000,
      cause,
    });
  });

  it('leaves mistakes in the program alone', () => {
    const mistake = new TypeError('undefined is not a function');

    expect(toComputeError(mistake, 'read')).toBe(mistake);
    expect(isComputeError(toComputeError('text', 'read'))).toBe(false);
  });
});

describe('calls', () => {
  it('give what the service gives', async () => {
    expect(await asComputeErrors('read', async () => 7)).toBe(7);
    expect(await unlessGone('read', async () => 7)).toBe(7);
  });

  it('tell a thing that is gone from one that cannot be seen', async () => {
    await expect(asComputeErrors('read', missing)).rejects.toMatchObject({ code: 'not-found' });
    expect(await unlessGone('read', missing)).toBeUndefined();
    await expect(unlessGone('read', broken)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

function missing(): Promise<never> {
  return Promise.reject(new OpenStackError('not-found', 'gone'));
}

function broken(): Promise<never> {
  return Promise.reject(new OpenStackError('server', 'broken'));
}
