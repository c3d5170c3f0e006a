import type { OutboxEntry } from '@smalt/outbox';
import { describe, expect, it } from 'vitest';

import { decideAfterPush, type PushContext } from './decide-after-push.ts';
import { pushResultOf, type PushFailure, type PushResult } from './push-result.ts';

const NOW = new Date('2026-01-02T03:04:05Z');

describe('decideAfterPush', () => {
  const three = [item(5), item(6), item(7)];
  it.each([
    { why: 'all taken', result: taken(7), entries: three, after: { kind: 'release', through: 7 } },
    { why: 'some taken', result: taken(5), entries: three, after: { kind: 'release', through: 5 } },
    { why: 'more known than in this batch', result: taken(8), entries: three, after: { kind: 'release', through: 7 } },
    { why: 'more known than ever sent', result: taken(9), entries: three, after: { kind: 'renumber' } },
    { why: 'nothing taken', result: taken(4), entries: three, after: { kind: 'wait', failure: 'unclear-answer' } },
    { why: 'a part of a gap taken', result: taken(4), entries: [gap(3, 6)], after: { kind: 'release', through: 4 } },
    { why: 'another epoch', result: taken(7, 'x'), entries: three, after: { kind: 'wait' } },
    { why: 'a named record refused', result: refused(6), entries: three, after: { kind: 'set-aside', sequence: 6 } },
    { why: 'some record refused', result: refused(), entries: three, after: { kind: 'shrink' } },
    { why: 'a strange record refused', result: refused(99), entries: three, after: { kind: 'shrink' } },
    {
      why: 'the only record refused',
      result: refused(),
      entries: [item(5)],
      after: { kind: 'set-aside', sequence: 5 },
    },
    { why: 'a refusal of another epoch', result: refused(6, 'x'), entries: three, after: { kind: 'wait' } },
    { why: 'a gap refused', result: refused(), entries: [gap(3, 6)], after: { kind: 'pass-over', through: 6 } },
    { why: 'a later gap refused', result: refused(7), entries: [item(5), gap(6, 7)], after: { kind: 'shrink' } },
  ])('$why: $after.kind', ({ result, entries, after }) => {
    expect(decideAfterPush(result, context(entries))).toMatchObject(after);
  });

  it.each([
    { why: 'a named record', result: refused(6), entries: three },
    { why: 'the only record', result: refused(), entries: [item(5)] },
    { why: 'a gap', result: refused(), entries: [gap(3, 6)] },
  ])('waits when $why is refused after ten others in a row', ({ result, entries }) => {
    const after = decideAfterPush(result, { ...context(entries), setAsideInARow: 10 });

    expect(after).toMatchObject({
      kind: 'wait',
      failure: 'refused',
      why: expect.stringMatching(/10 records in a row/),
    });
  });

  it('waits when the service knows too much of an epoch that began because it knew too much', () => {
    const after = decideAfterPush(taken(9), { ...context(three), hasRenumbered: true, failures: 3, random: 1 });

    expect(after).toMatchObject({ kind: 'wait', failure: 'unclear-answer', pauseMs: 4000 });
  });

  it.each([
    { failures: 0, random: 0, pauseMs: 250 },
    { failures: 0, random: 1, pauseMs: 500 },
    { failures: 3, random: 1, pauseMs: 4000 },
    { failures: 1000, random: 1, pauseMs: 30_000 },
    { failures: 0, random: 1, retryAfterMs: 7000, pauseMs: 7000 },
    { failures: 9, random: 1, retryAfterMs: 7000, pauseMs: 30_000 },
    { failures: 0, random: 1, retryAfterMs: 1e9, pauseMs: 300_000 },
  ])(
    'waits $pauseMs ms after $failures failures and Retry-After $retryAfterMs',
    ({ pauseMs, retryAfterMs, ...rest }) => {
      const result: PushResult = { kind: 'failed', failure: 'server-error', why: 'it answered 503', retryAfterMs };

      expect(decideAfterPush(result, { ...context(three), ...rest })).toMatchObject({ kind: 'wait', pauseMs });
    },
  );
});

describe('pushResultOf', () => {
  it.each([
    { status: 200, body: '{"epoch":"e","acknowledged":7}', result: taken(7) },
    { status: 202, body: '{"epoch":"e","acknowledged":7,"new":1}', result: taken(7) },
    { status: 200, body: '', result: { kind: 'failed', failure: 'unclear-answer' } },
    { status: 204, body: '{}', result: { kind: 'failed', failure: 'unclear-answer' } },
    { status: 400, body: '{"epoch":"e","error":"bad","sequence":6}', result: refused(6, 'e', 'bad') },
    { status: 422, body: '{"epoch":"e","error":"bad"}', result: refused(undefined, 'e', 'bad') },
    { status: 413, body: '{"epoch":"e","error":"bad"}', result: refused(undefined, 'e', 'bad') },
    { status: 400, body: '<html>400 The SSL certificate error</html>', result: failed('server-error') },
    { status: 400, body: '{"error":"Bad Request"}', result: failed('server-error') },
    { status: 409, body: 'plain words', result: { ...failed('server-error'), why: 'it answered 409: plain words' } },
    { status: 413, body: '<html>413 Request Entity Too Large</html>', result: failed('too-large') },
    { status: 413, body: '', result: failed('too-large') },
    { status: 422, body: '{"epoch":"e","error":""}', result: failed('server-error') },
    { status: 401, body: '', result: { kind: 'failed', failure: 'unauthorized' } },
    { status: 403, body: '', result: { kind: 'failed', failure: 'unauthorized' } },
    { status: 404, body: 'x'.repeat(5000), result: { kind: 'failed', failure: 'server-error' } },
    { status: 301, body: '', result: { kind: 'failed', failure: 'server-error' } },
    { status: 501, body: '', result: { kind: 'failed', failure: 'server-error' } },
  ])('reads $status $body as $result.kind', ({ status, body, result }) => {
    const read = pushResultOf({ status, body, retryAfter: undefined }, NOW);

    expect(read).toMatchObject(result);
    expect(JSON.stringify(read).length).toBeLessThan(500);
  });

  it.each([
    { retryAfter: '120', retryAfterMs: 120_000 },
    { retryAfter: 'Fri, 02 Jan 2026 03:05:05 GMT', retryAfterMs: 60_000 },
    { retryAfter: 'Fri, 02 Jan 2026 03:00:00 GMT', retryAfterMs: 0 },
    { retryAfter: 'soon', retryAfterMs: undefined },
  ])('reads Retry-After: $retryAfter', ({ retryAfter, retryAfterMs }) => {
    expect(pushResultOf({ status: 503, body: '', retryAfter }, NOW)).toMatchObject({ kind: 'failed', retryAfterMs });
  });
});

function taken(acknowledged: number, epoch = 'e'): PushResult {
  return { kind: 'taken', epoch, acknowledged };
}

function refused(sequence?: number, epoch = 'e', why = 'no'): PushResult {
  return { kind: 'refused', epoch, why, sequence };
}

function failed(failure: PushFailure) {
  return { kind: 'failed' as const, failure };
}

function context(entries: readonly OutboxEntry[]): PushContext {
  return { epoch: 'e', entries, lastSent: 8, hasRenumbered: false, setAsideInARow: 0, failures: 0, random: 0.5 };
}

function item(sequence: number): OutboxEntry {
  return { kind: 'item', sequence, body: '{}', isExpendable: false, storedAt: 0 };
}

function gap(firstSequence: number, sequence: number): OutboxEntry {
  return { kind: 'gap', firstSequence, sequence, reason: 'queue-full', storedAt: 0 };
}
