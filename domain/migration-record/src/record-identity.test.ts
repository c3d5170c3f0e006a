import { expect, it } from 'vitest';

import { expiresAtMs, keptRecordNames, labelValue, recordLabels } from './record-identity.ts';

const instance = '12e479eb-6bef-4fdb-bfdc-0388df68bed9';

it('names the record of an earlier migration by the second in which it began, or the millisecond', () => {
  expect(keptRecordNames(instance, { started: '2026-01-31T23:59:59.999Z' })).toEqual([
    `${instance}-20260131235959`,
    `${instance}-20260131235959999`,
  ]);
});

it('labels a record with the hosts that are known', () => {
  expect(recordLabels(instance, { origin: 'node002-bb086' })).toEqual({
    'smalt.dev/instance': instance,
    'smalt.dev/origin': 'node002-bb086',
  });
});

it.each([
  ['node-1.example.com', 'node-1.example.com'],
  ['a b/c', 'a-b-c'],
  ['-.x.-', 'x'],
  ['n'.repeat(70), 'n'.repeat(63)],
  [`${'n'.repeat(62)}-x`, 'n'.repeat(62)],
])('makes a label of %s', (host, label) => {
  expect(labelValue(host)).toBe(label);
});

it('lets a record go some time after the last that was heard of it', () => {
  const status = { started: '2026-01-01T00:00:00Z', timeElapsed: '1m0s', type: 'completed' };

  expect(new Date(expiresAtMs(status, 3_600_000)).toISOString()).toBe('2026-01-01T01:01:00.000Z');
});
