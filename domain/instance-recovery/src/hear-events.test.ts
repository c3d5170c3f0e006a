import { describe, expect, it } from 'vitest';

import {
  agent,
  answers,
  happened,
  hostReboot,
  ioError,
  lifecycle,
  NOW,
  reboot,
  silent,
  watchdog,
} from './fixtures/event-builders.ts';
import { hearEvents } from './hear-events.ts';
import type { InstanceEvent } from './instance-event.ts';
import { defaultInstanceRecoverySettings } from './instance-recovery-settings.ts';
import { newRecovery, type RecoveryRecord } from './recovery-record.ts';

describe('trouble', () => {
  it.each<[string, readonly InstanceEvent['event'][], string | undefined]>([
    ['a process that failed', [lifecycle('stopped/failed')], 'crashed'],
    ['a process that crashed', [lifecycle('stopped/crashed')], 'crashed'],
    ['a guest that panicked', [lifecycle('crashed/panicked')], 'crashed'],
    [
      'a guest that panicked and was then destroyed',
      [lifecycle('crashed/panicked'), lifecycle('stopped/destroyed')],
      'crashed',
    ],
    ['a crash after a start', [lifecycle('started/booted'), lifecycle('stopped/failed')], 'crashed'],
    ['a watchdog that does nothing', [watchdog('none')], 'hung'],
    ['a watchdog that pauses', [watchdog('pause'), lifecycle('suspended/watchdog')], 'hung'],
    ['a watchdog that powers off', [watchdog('poweroff'), lifecycle('stopped/shutdown')], 'crashed'],
    ['a guest agent that went silent', [silent(3)], 'hung'],
    ['a guest agent that is still silent', [silent(3), silent(9)], 'hung'],
    ['a silence that became long enough', [silent(2), silent(8)], 'hung'],
    ['a silence after a start', [lifecycle('started/booted'), silent(3)], 'hung'],
    ['a watchdog, and an agent that then went', [watchdog('none'), agent('disconnected')], 'hung'],
    ['a disk that cannot be written', [ioError('pause'), lifecycle('suspended/ioerror')], 'stalled'],
    ['a crash while it could not write', [ioError('pause'), lifecycle('stopped/failed')], 'crashed'],
    ['a host that has booted anew', [lifecycle('started/booted'), hostReboot()], 'crashed'],
    ['a start after its host has booted anew', [hostReboot(), lifecycle('started/booted')], undefined],
    ['a start after the crash', [lifecycle('stopped/failed'), lifecycle('started/booted')], undefined],
    ['a watchdog that resets', [watchdog('reset')], undefined],
    ['a disk that only reports', [ioError('report')], undefined],
    ['a disk that works again', [ioError('pause'), lifecycle('resumed/unpaused')], undefined],
    ['a stop by its owner', [lifecycle('stopped/destroyed')], undefined],
    ['a shutdown by its guest', [lifecycle('stopped/shutdown')], undefined],
    ['a pause by its owner', [lifecycle('suspended/paused')], undefined],
    ['a guest agent that answers again', [silent(3), answers()], undefined],
    ['a silence that is too short', [silent(2)], undefined],
    ['a silent guest agent that then ended', [silent(3), agent('disconnected')], undefined],
    ['a silent guest that then rebooted', [silent(3), reboot()], undefined],
    ['a silent guest that was started anew', [silent(3), lifecycle('started/booted')], undefined],
    ['a silent guest that its owner stopped', [silent(3), lifecycle('stopped/destroyed')], undefined],
    ['a hang, then a stop by its owner', [watchdog('none'), lifecycle('stopped/destroyed')], undefined],
    ['a domain that was removed', [watchdog('none'), lifecycle('undefined/removed')], undefined],
  ])('is told by %s', (_what, told, kind) => {
    const events = told.map((event) => happened(event));

    expect(hear(events).trouble?.kind).toBe(kind);
  });

  it.each<[string, InstanceEvent]>([
    ['was stored too long ago', happened(lifecycle('stopped/failed'), 600_001)],
    ['came late from its host', happened(lifecycle('stopped/failed'), 0, NOW - 600_001)],
    ['is of another host', { ...happened(lifecycle('stopped/failed')), host: 'n2' }],
  ])('is not told by an event that %s', (_what, event) => {
    expect(hear([event]).trouble).toBeUndefined();
  });

  it('is not told by an event from before the last start, by whichever clock', () => {
    const started = hear([happened(lifecycle('started/booted'), 1_000, NOW - 1_000)]);

    expect(hear([happened(lifecycle('stopped/failed'), 1_001)], started).trouble).toBeUndefined();
    expect(hear([happened(lifecycle('stopped/failed'), 0, NOW - 1_001)], started).trouble).toBeUndefined();
    expect(hear([happened(lifecycle('stopped/failed'), 0, NOW)], started).trouble?.kind).toBe('crashed');
  });
});

function hear(events: readonly InstanceEvent[], record = newRecovery('i1', 'n1')): RecoveryRecord {
  return hearEvents(record, events, defaultInstanceRecoverySettings, NOW);
}
