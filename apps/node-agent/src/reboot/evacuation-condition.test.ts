import { describe, expect, it } from 'vitest';

import { rebootCondition, type RebootState } from './evacuation-condition.ts';

const ARMED = 'A reboot of the host waits until its guests moved away';

describe('rebootCondition', () => {
  it.each<[RebootState, string, string, string]>([
    [{ kind: 'off' }, 'False', 'Off', 'spec.evacuateOnReboot is not set'],
    [
      { kind: 'unavailable', why: 'no logind' },
      'False',
      'Unavailable',
      'A reboot of the host cannot be held back, its guests would be lost: no logind',
    ],
    [{ kind: 'armed' }, 'True', 'Armed', ARMED],
    [{ kind: 'armed', allowedMs: Infinity }, 'True', 'Armed', ARMED],
    [{ kind: 'armed', allowedMs: 60_000 }, 'True', 'Armed', ARMED],
    [
      { kind: 'armed', allowedMs: 5_000 },
      'True',
      'Armed',
      `${ARMED}, but logind allows 5 s only; set InhibitDelayMaxSec=30min in /etc/systemd/logind.conf`,
    ],
    [
      { kind: 'armed', allowedMs: 59_940 },
      'True',
      'Armed',
      `${ARMED}, but logind allows 59.9 s only; set InhibitDelayMaxSec=30min in /etc/systemd/logind.conf`,
    ],
    [
      { kind: 'evacuating', nodeName: 'n1' },
      'True',
      'Evacuating',
      'The host is about to reboot and waits for Eviction n1',
    ],
    [
      { kind: 'released', outcome: { kind: 'empty' } },
      'True',
      'Evacuating',
      'The host reboots: no guests are left on it',
    ],
    [
      { kind: 'released', outcome: { kind: 'failed', why: 'no host has room' } },
      'True',
      'Evacuating',
      'The host reboots: it was not emptied, no host has room',
    ],
  ])('of %o is %s, %s', (state, status, reason, message) => {
    expect(rebootCondition(state)).toEqual({ type: 'EvacuateOnReboot', status, reason, message });
  });
});
