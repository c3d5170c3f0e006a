import type { TelemetryEvent } from '@smalt/ha-telemetry';

import type { HaNotice } from './ha-agent-deps.ts';

/** What is worth an event in the API: what went wrong, not the daily life of domains. */
export function noticeOf(event: TelemetryEvent): HaNotice | undefined {
  const { name } = event.domain;
  switch (event.kind) {
    case 'watchdog':
      return warning('DomainWatchdog', `the watchdog of domain ${name} fired, action: ${event.action}`);
    case 'io-error': {
      const reason = event.reason === undefined ? '' : ` (${event.reason})`;
      const message = `domain ${name} had an I/O error${reason} on ${event.device} (${event.path}), action: ${event.action}`;
      return warning('DomainIoError', message);
    }
    case 'control-error':
      return warning('DomainControlError', `libvirt lost control of domain ${name}`);
    case 'memory-failure':
      return warning(
        'DomainMemoryFailure',
        `memory of domain ${name} failed, seen by the ${event.recipient}, action: ${event.action}`,
      );
    case 'lifecycle': {
      const hasCrashed =
        event.event === 'crashed' || (event.event === 'stopped' && ['crashed', 'failed'].includes(event.detail));
      return hasCrashed ? warning('DomainCrashed', `domain ${name} ${event.event}: ${event.detail}`) : undefined;
    }
    case 'guest-ping':
      // The same words every time: what is told again is the same event, seen once more.
      return event.state === 'silent'
        ? warning('DomainSilent', `the guest agent of domain ${name} does not answer since ${event.since}`)
        : { type: 'Normal', reason: 'DomainAnswers', message: `the guest agent of domain ${name} answers again` };
    case 'reboot':
    case 'agent-lifecycle':
      return undefined;
  }
}

function warning(reason: string, message: string): HaNotice {
  return { type: 'Warning', reason, message };
}
