import type { DomainEvent } from '@smalt/libvirt';

import type { InstanceEvent } from '../instance-sync-options.ts';

/** What is worth an event on the instance, because its status alone would not show it; undefined for the rest. */
export function instanceEventOf(event: DomainEvent): InstanceEvent | undefined {
  if (event.kind === 'reboot') return { type: 'Normal', reason: 'Rebooted', message: 'The guest was rebooted.' };
  if (event.kind === 'watchdog') {
    return { type: 'Warning', reason: 'WatchdogFired', message: 'The watchdog of the guest has fired.' };
  }
  if (event.kind === 'io-error-reason') {
    const why = event.reason === 'enospc' ? 'no space is left on its storage; make room and unpause it' : event.reason;
    return { type: 'Warning', reason: 'IOError', message: `The disk ${event.deviceAlias} failed: ${why}` };
  }
  if (event.kind === 'device-removal-failed') {
    const message = `The guest does not let go of the device ${event.deviceAlias}.`;
    return { type: 'Warning', reason: 'FailedDetach', message };
  }
  return undefined;
}
