import { DomainEventType, type DomainEvent } from '@smalt/libvirt';
import { expect, it } from 'vitest';

import { describeEvent, type EventLine } from './describe-event.ts';

const domain = { name: 'web', uuid: '00000000-0000-4000-8000-000000000001', id: 1 };

const events: readonly { readonly event: DomainEvent; readonly line: Omit<EventLine, 'domain'> }[] = [
  {
    event: { kind: 'lifecycle', domain, event: DomainEventType.started, detail: 0 },
    line: { kind: 'lifecycle', detail: 'started (booted)', severity: 'good' },
  },
  {
    event: { kind: 'lifecycle', domain, event: DomainEventType.stopped, detail: 5 },
    line: { kind: 'lifecycle', detail: 'stopped (failed)', severity: 'bad' },
  },
  {
    event: { kind: 'lifecycle', domain, event: DomainEventType.suspended, detail: 0 },
    line: { kind: 'lifecycle', detail: 'suspended (paused)', severity: 'notice' },
  },
  { event: { kind: 'reboot', domain }, line: { kind: 'reboot', detail: '', severity: 'notice' } },
  {
    event: { kind: 'balloon-change', domain, actual: 262_144n },
    line: { kind: 'balloon-change', detail: 'actual=262144', severity: 'notice' },
  },
  {
    event: { kind: 'io-error', domain, sourcePath: '/disks/my disk', deviceAlias: 'vda', action: 1 },
    line: { kind: 'io-error', detail: 'sourcePath="/disks/my disk" deviceAlias=vda action=1', severity: 'bad' },
  },
];

it.each(events)('describes $line.kind as "$line.detail"', ({ event, line }) => {
  expect(describeEvent(event)).toEqual({ domain: 'web', ...line });
});

it('shows what would steer the terminal as text, in names and in particulars', () => {
  const event: DomainEvent = {
    kind: 'io-error',
    domain: { ...domain, name: 'web\u009B2J' },
    sourcePath: '/disks/\u001B]0;title\u0007',
    deviceAlias: 'v\n=\u009B',
    action: 1,
  };

  expect(describeEvent(event)).toMatchObject({
    domain: String.raw`web\u{9b}2J`,
    detail: String.raw`sourcePath=/disks/\u{1b}]0;title\u{7} deviceAlias="v\n=\u{9b}" action=1`,
  });
});

it('shows what would steer the terminal as text in the name of a domain that started', () => {
  const event = { kind: 'lifecycle' as const, domain: { ...domain, name: 'a\u001Bb' }, event: 2, detail: 0 };

  expect(describeEvent(event).domain).toBe(String.raw`a\u{1b}b`);
});
