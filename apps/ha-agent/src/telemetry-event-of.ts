import type { TelemetryDomain, TelemetryEvent } from '@smalt/ha-telemetry';
import {
  ConnectDomainEventAgentLifecycleReason,
  ConnectDomainEventAgentLifecycleState,
  DomainEventIoErrorAction,
  DomainEventWatchdogAction,
  DomainMemoryFailureActionType,
  DomainMemoryFailureFlags,
  DomainMemoryFailureRecipientType,
  lifecycleDetailName,
  lifecycleEventName,
  type Domain,
  type DomainEvent,
} from '@smalt/libvirt';

import { wordOf } from './word-of.ts';

/** The kinds that are asked for. A daemon that tells the reason of an I/O error tells each of them as both kinds. */
export const watchedKinds = [
  'lifecycle',
  'reboot',
  'watchdog',
  'io-error',
  'io-error-reason',
  'control-error',
  'agent-lifecycle',
  'memory-failure',
] as const;

export type WatchedEvent = Extract<DomainEvent, { readonly kind: (typeof watchedKinds)[number] }>;

export function isWatchedEvent(event: DomainEvent): event is WatchedEvent {
  return watchedKinds.some((kind) => kind === event.kind);
}

/** An event of libvirt in words. */
export function telemetryEventOf(event: WatchedEvent): TelemetryEvent {
  const domain = telemetryDomain(event.domain);
  switch (event.kind) {
    case 'lifecycle':
      return {
        kind: 'lifecycle',
        domain,
        event: lifecycleEventName(event.event),
        detail: lifecycleDetailName(event.event, event.detail),
      };
    case 'reboot':
    case 'control-error':
      return { kind: event.kind, domain };
    case 'watchdog':
      return { kind: 'watchdog', domain, action: wordOf(DomainEventWatchdogAction, event.action) };
    case 'io-error':
    case 'io-error-reason':
      return ioError(event, domain);
    case 'agent-lifecycle':
      return {
        kind: 'agent-lifecycle',
        domain,
        state: wordOf(ConnectDomainEventAgentLifecycleState, event.state),
        reason: wordOf(ConnectDomainEventAgentLifecycleReason, event.reason),
      };
    case 'memory-failure':
      return {
        kind: 'memory-failure',
        domain,
        recipient: wordOf(DomainMemoryFailureRecipientType, event.recipient),
        action: wordOf(DomainMemoryFailureActionType, event.action),
        flags: Object.values(DomainMemoryFailureFlags)
          .filter((flag) => (event.flags & flag) !== 0)
          .map((flag) => wordOf(DomainMemoryFailureFlags, flag)),
      };
  }
}

/** A domain as the service knows it. One that is not active has no id. */
export function telemetryDomain({ uuid, name, id }: Domain): TelemetryDomain {
  return { uuid, name, ...(id >= 0 && { id }) };
}

function ioError(
  event: Extract<WatchedEvent, { readonly kind: 'io-error' | 'io-error-reason' }>,
  domain: TelemetryDomain,
): TelemetryEvent {
  const { sourcePath: path, deviceAlias: device } = event;
  const action = wordOf(DomainEventIoErrorAction, event.action);
  // Usually `enospc` or nothing; a sentence of a newer daemon must still be one word.
  const reason = event.kind === 'io-error-reason' ? event.reason.replaceAll(/[^\w-]+/g, '-').slice(0, 64) : '';
  return { kind: 'io-error', domain, path, device, action, ...(reason !== '' && { reason }) };
}
