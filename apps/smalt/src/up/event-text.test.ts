import { stripVTControlCharacters } from 'node:util';

import { DomainEventType } from '@smalt/libvirt';
import { expect, it, onTestFinished, vi } from 'vitest';

import { eventText } from './event-text.ts';

const now = new Date('2026-01-02T03:04:05.678Z');
const domain = { name: 'web', uuid: '00000000-0000-4000-8000-000000000001', id: 1 };

it.each([
  {
    event: { kind: 'lifecycle' as const, domain, event: DomainEventType.resumed, detail: 0 },
    text: '03:04:05.678  web  lifecycle resumed (unpaused)',
  },
  { event: { kind: 'overflow' as const, dropped: 7 }, text: '03:04:05.678  7 events were lost: too many at once' },
  {
    event: { kind: 'resubscribed' as const, lostAt: new Date(1000), restoredAt: new Date(3500), attempt: 2 },
    text: '03:04:05.678  libvirtd is back after 2500 ms; events of that time are missing',
  },
])('prints "$text"', ({ event, text }) => {
  expect(stripVTControlCharacters(eventText(event, now))).toBe(text);
});

it('has the colour of what happened where colours can be seen', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('NO_COLOR', undefined);
  vi.stubEnv('FORCE_COLOR', '1');

  const started = eventText({ kind: 'lifecycle', domain, event: DomainEventType.started, detail: 0 }, now);
  const crashed = eventText({ kind: 'lifecycle', domain, event: DomainEventType.crashed, detail: 0 }, now);

  expect([started, crashed]).toEqual([expect.stringContaining('\u001B[32m'), expect.stringContaining('\u001B[31m')]);
});
