import { decideReport, defaultReportSettings, lifecycleWords, parseBatch } from '@smalt/ha-telemetry';
import { DomainEventType, lifecycleDetailName, lifecycleEventName } from '@smalt/libvirt';
import { describe, expect, it } from 'vitest';

import { noticeOf } from './notice-of.ts';
import { telemetryEventOf, type WatchedEvent } from './telemetry-event-of.ts';

const DOMAIN = { uuid: '6f1c2a4e-7f6b-4a0a-9d4e-3d2c1b0a9f8e', name: 'web', id: 7 };

describe('telemetryEventOf', () => {
  it.each<{ event: WatchedEvent; words: object; notice?: string }>([
    {
      event: { kind: 'lifecycle', domain: DOMAIN, event: 2, detail: 0 },
      words: { event: 'started', detail: 'booted' },
    },
    {
      event: { kind: 'lifecycle', domain: DOMAIN, event: 5, detail: 5 },
      words: { event: 'stopped', detail: 'failed' },
      notice: 'DomainCrashed',
    },
    {
      event: { kind: 'lifecycle', domain: DOMAIN, event: 8, detail: 0 },
      words: { event: 'crashed', detail: 'panicked' },
      notice: 'DomainCrashed',
    },
    {
      event: { kind: 'lifecycle', domain: DOMAIN, event: 77, detail: 3 },
      words: { event: 'unknown-77', detail: 'unknown-3' },
    },
    { event: { kind: 'reboot', domain: DOMAIN }, words: { kind: 'reboot' } },
    {
      event: { kind: 'watchdog', domain: DOMAIN, action: 6 },
      words: { action: 'injectnmi' },
      notice: 'DomainWatchdog',
    },
    {
      event: { kind: 'io-error', domain: DOMAIN, sourcePath: '/d', deviceAlias: 'vda', action: 2 },
      words: { path: '/d', device: 'vda', action: 'report' },
      notice: 'DomainIoError',
    },
    {
      event: { kind: 'io-error-reason', domain: DOMAIN, sourcePath: '', deviceAlias: '', action: 1, reason: 'enospc' },
      words: { kind: 'io-error', action: 'pause', reason: 'enospc' },
      notice: 'DomainIoError',
    },
    {
      event: {
        kind: 'io-error-reason',
        domain: DOMAIN,
        sourcePath: '',
        deviceAlias: '',
        action: 0,
        reason: 'no space left: 5',
      },
      words: { reason: 'no-space-left-5' },
      notice: 'DomainIoError',
    },
    {
      event: { kind: 'control-error', domain: DOMAIN },
      words: { kind: 'control-error' },
      notice: 'DomainControlError',
    },
    {
      event: { kind: 'agent-lifecycle', domain: DOMAIN, state: 2, reason: 1 },
      words: { state: 'disconnected', reason: 'domain-started' },
    },
    {
      event: { kind: 'memory-failure', domain: DOMAIN, recipient: 0, action: 2, flags: 3 },
      words: { recipient: 'hypervisor', action: 'fatal', flags: ['action-required', 'recursive'] },
      notice: 'DomainMemoryFailure',
    },
  ])('says $event.kind in words that the contract allows: $words', ({ event, words, notice }) => {
    const told = telemetryEventOf(event);
    const decision = decideReport(told, defaultReportSettings, '2026-01-02T03:04:05.678Z');

    expect(told).toMatchObject({ domain: DOMAIN, ...words });
    expect(noticeOf(told)?.reason).toBe(notice);
    if (decision.kind !== 'report') throw new Error('it is not reported');
    const records = [{ sequence: 1, ...decision.content }];
    const batch = { version: 1, node: 'n', epoch: 'e', agent: 'a', firstSequence: 1, lastSequence: 1, records };
    expect(parseBatch(batch).records).toEqual(records);
  });

  it.each([
    { state: 'silent', notice: { type: 'Warning', reason: 'DomainSilent' } },
    { state: 'answers', notice: { type: 'Normal', reason: 'DomainAnswers' } },
  ] as const)('shows a guest that is $state in the same words every time', ({ state, notice }) => {
    const ping = { kind: 'guest-ping', domain: DOMAIN, state, since: '2026-01-02T03:04:05.678Z' } as const;

    const [first, later] = [noticeOf({ ...ping, misses: 3 }), noticeOf({ ...ping, misses: 9 })];

    expect(first).toMatchObject({ ...notice, message: expect.stringContaining('domain web') });
    expect(later).toEqual(first);
  });

  it('gives a domain that is not active no id', () => {
    expect(telemetryEventOf({ kind: 'reboot', domain: { ...DOMAIN, id: -1 } }).domain).not.toHaveProperty('id');
  });

  it('has the words that the report settings know', () => {
    const words = Object.fromEntries(
      Object.values(DomainEventType).map((event) => [lifecycleEventName(event), detailsOf(event)]),
    );

    expect(words).toEqual(lifecycleWords);
  });
});

function detailsOf(event: number): readonly string[] {
  const names = Array.from({ length: 20 }, (_, detail) => lifecycleDetailName(event, detail));
  return names.filter((name) => !name.startsWith('unknown-'));
}
