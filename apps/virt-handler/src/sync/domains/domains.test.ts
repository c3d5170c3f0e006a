import type { DomainEvent } from '@smalt/libvirt';
import { describe, expect, it } from 'vitest';

import { instanceEventOf } from './instance-event-of.ts';

const domain = { name: 'default_guest', uuid: '5d307ca9-b3ef-428c-8861-06e72d69f223', id: 1 };

describe('what happens to a domain', () => {
  it.each<[DomainEvent, string | undefined]>([
    [{ kind: 'reboot', domain }, 'Rebooted'],
    [{ kind: 'watchdog', domain, action: 1 }, 'WatchdogFired'],
    [
      { kind: 'io-error-reason', domain, sourcePath: '/a', deviceAlias: 'ua-disk-root', action: 1, reason: 'enospc' },
      'IOError',
    ],
    [{ kind: 'device-removal-failed', domain, deviceAlias: 'ua-disk-root' }, 'FailedDetach'],
    [{ kind: 'lifecycle', domain, event: 2, detail: 0 }, undefined],
  ])('%j is told as %s', (event, reason) => {
    expect(instanceEventOf(event)?.reason).toBe(reason);
  });
});
