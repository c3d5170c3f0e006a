import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { parseAnswer, parseBatch, parseRefusal, telemetryEventKinds, telemetryLimits } from './index.ts';

const DOMAIN = { uuid: '6f1c2a4e-7f6b-4a0a-9d4e-3d2c1b0a9f8e', name: 'web', id: 7 };
const TIME = '2026-01-02T03:04:05.678Z';

describe('parseBatch', () => {
  it('reads the example of the README without a loss', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const example: unknown = JSON.parse(/```json\n(.*?)```/s.exec(readme)?.[1] ?? '');

    expect(parseBatch(example)).toEqual(example);
  });

  it.each([
    { kind: 'lifecycle', domain: DOMAIN, event: 'started', detail: 'booted' },
    { kind: 'reboot', domain: DOMAIN },
    { kind: 'watchdog', domain: DOMAIN, action: 'reset' },
    { kind: 'io-error', domain: DOMAIN, path: '', device: 'vda', action: 'report' },
    { kind: 'control-error', domain: DOMAIN },
    { kind: 'agent-lifecycle', domain: DOMAIN, state: 'connected', reason: 'domain-started' },
    { kind: 'memory-failure', domain: DOMAIN, recipient: 'guest', action: 'reset', flags: ['recursive'] },
    { kind: 'guest-ping', domain: DOMAIN, state: 'silent', misses: 3, since: TIME },
    { kind: 'guest-ping', domain: DOMAIN, state: 'answers', misses: 1, since: TIME },
    { kind: 'missed', reason: 'too-many', dropped: 5 },
    { kind: 'missed', reason: 'agent-started' },
  ])('reads a record of the kind $kind, and passes over fields that are new', (content) => {
    const record = { ...content, time: TIME, sequence: 1 };

    expect(parseBatch(batch([{ ...record, novelty: true }])).records).toEqual([record]);
  });

  it('knows every kind of event', () => {
    expect(telemetryEventKinds).toHaveLength(8);
    for (const kind of telemetryEventKinds) {
      expect(() => parseBatch(batch([{ kind, sequence: 1, time: TIME }]))).toThrow(/records\[0\]\.domain must be/);
    }
  });

  const lifecycle = { kind: 'lifecycle', domain: DOMAIN, event: 'started', detail: 'booted', time: TIME };
  it.each([
    { field: 'records[0].domain.uuid', change: { domain: { ...DOMAIN, uuid: 'x' } } },
    { field: 'records[0].domain.name', change: { domain: { ...DOMAIN, name: '' } } },
    { field: 'records[0].domain.id', change: { domain: { ...DOMAIN, id: -1 } } },
    { field: 'records[0].event', change: { event: 'not a word' } },
    { field: 'records[0].detail', change: { detail: undefined } },
    { field: 'records[0].time', change: { time: 'yesterday' } },
    { field: 'records[0].kind', change: { kind: 'weather' } },
    { field: 'records[0].kind', change: { kind: 'toString' } },
  ])('names $field and the record when it is wrong', ({ field, change }) => {
    const value = batch([{ ...lifecycle, sequence: 1, ...change }]);

    expect(() => parseBatch(value)).toThrow(expect.objectContaining({ code: 'invalid-batch', field, sequence: 1 }));
  });

  const silence = { kind: 'guest-ping', domain: DOMAIN, state: 'silent', misses: 3, since: TIME, time: TIME };
  it.each([
    { field: 'records[0].domain', change: { domain: undefined } },
    { field: 'records[0].state', change: { state: 'sulks' } },
    { field: 'records[0].misses', change: { misses: 0 } },
    { field: 'records[0].misses', change: { misses: 1.5 } },
    { field: 'records[0].misses', change: { misses: undefined } },
    { field: 'records[0].since', change: { since: 'a while ago' } },
    { field: 'records[0].since', change: { since: undefined } },
  ])('names $field of a guest ping when it is wrong', ({ field, change }) => {
    const value = batch([{ ...silence, sequence: 1, ...change }]);

    expect(() => parseBatch(value)).toThrow(expect.objectContaining({ code: 'invalid-batch', field, sequence: 1 }));
  });

  it.each([
    { why: 'a hole', numbers: [1, 3], field: 'records[1]' },
    { why: 'a number twice', numbers: [1, 1], field: 'records[1]' },
    { why: 'another beginning', numbers: [2], field: 'records[0]' },
    { why: 'another end', numbers: [1], field: 'lastSequence', change: { lastSequence: 2 } },
    { why: 'nothing in it', numbers: [], field: 'records' },
    { why: 'no epoch', numbers: [1], field: 'epoch', change: { epoch: '' } },
    { why: 'records that are none', numbers: [1], field: 'records', change: { records: 'x' } },
  ])('refuses a batch with $why', ({ numbers, field, change }) => {
    const records = numbers.map((sequence) => ({ ...lifecycle, sequence }));

    expect(() => parseBatch({ ...batch(records), ...change })).toThrow(expect.objectContaining({ field }));
  });

  it('lets a gap stand for all its numbers', () => {
    const gap = { kind: 'gap', firstSequence: 1, sequence: 9, reason: 'refused', time: TIME };

    expect(parseBatch(batch([gap, { ...lifecycle, sequence: 10 }])).lastSequence).toBe(10);
    expect(() => parseBatch(batch([{ ...gap, firstSequence: 10, sequence: 9 }]))).toThrow(/must begin with/);
  });

  it('refuses more than the limits allow', () => {
    const many = Array.from({ length: telemetryLimits.batchRecords + 1 }, (_, index) => ({
      ...lifecycle,
      sequence: index + 1,
    }));

    expect(() => parseBatch(batch(many))).toThrow('records must have at most 500 entries');
  });

  it.each([undefined, null, 'text', [], 7])('refuses %j, which is no batch', (value) => {
    expect(() => parseBatch(value)).toThrow(expect.objectContaining({ code: 'invalid-batch' }));
  });

  it('says when the sender is of another version', () => {
    expect(() => parseBatch({ ...batch([]), version: 2 })).toThrow(
      expect.objectContaining({ code: 'unknown-version' }),
    );
  });
});

describe('an answer', () => {
  it('is read when it is right, and its field is named when it is wrong', () => {
    expect(parseAnswer({ epoch: 'e', acknowledged: 0, more: 1 })).toEqual({ epoch: 'e', acknowledged: 0 });
    expect(() => parseAnswer({ epoch: 'e', acknowledged: '7' })).toThrow(/^acknowledged must be/);
    const refusal = { epoch: 'e', error: 'no', sequence: 3 };
    expect(parseRefusal(refusal)).toEqual(refusal);
    expect(parseRefusal({ epoch: 'e', error: 'no' })).toEqual({ epoch: 'e', error: 'no' });
    expect(() => parseRefusal({ epoch: 'e' })).toThrow(/^error must be/);
    expect(() => parseRefusal({ error: 'no' })).toThrow(/^epoch must be/);
  });
});

function batch(records: readonly ({ readonly sequence: number } & Readonly<Record<string, unknown>>)[]) {
  const lastSequence = records.at(-1)?.sequence ?? 1;
  return { version: 1, node: 'n1', epoch: 'e1', agent: 'a1', firstSequence: 1, lastSequence, records };
}
