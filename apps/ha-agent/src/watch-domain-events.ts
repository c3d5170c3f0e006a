import { setTimeout as delay } from 'node:timers/promises';

import type { MissedRecord, TelemetryEvent } from '@smalt/ha-telemetry';
import { isConnectionLost, isTimeout, type DomainEvent, type SessionEventIterator } from '@smalt/libvirt';
import type { Ignore, Logger } from '@smalt/service-runtime';

import type { HaAgentDeps } from './ha-agent-deps.ts';
import { isWatchedEvent, telemetryEventOf, watchedKinds } from './telemetry-event-of.ts';

const RETRY_MS = 1000;

export interface EventWatchDeps {
  readonly session: Pick<HaAgentDeps['session'], 'connected' | 'domainEvents'>;
  readonly logger: Logger;
  readonly ignore: Ignore;
  /** Called for each event in the order of their arrival. */
  readonly onEvent: (event: TelemetryEvent) => void;
  /** Called where events may be missing: at the beginning, after libvirt was away, and when too many came. */
  readonly onMissed: (missed: MissedRecord) => void;
}

/** Tells what happens to the domains until the signal fires. */
export async function watchDomainEvents(deps: EventWatchDeps, signal: AbortSignal): Promise<void> {
  try {
    const events = await subscribe(deps, signal);
    deps.onMissed({ kind: 'missed', reason: 'agent-started' });
    for await (const event of events) tell(deps, event, events);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function subscribe(deps: EventWatchDeps, signal: AbortSignal): Promise<SessionEventIterator<DomainEvent>> {
  const { session, logger, ignore } = deps;
  for (;;) {
    try {
      await session.connected({ signal, timeoutMs: Infinity });
      const events = await session.domainEvents({ kinds: watchedKinds, skipUnsupported: true, signal });
      const { skipped } = events;
      if (skipped.length > 0) logger.info({ kinds: skipped }, 'the libvirt daemon does not have these kinds of events');
      return events;
    } catch (error) {
      if (!isConnectionLost(error) && !isTimeout(error)) throw error;
      ignore(error, 'the daemon was lost while events were asked for, it is asked again');
      await delay(RETRY_MS, undefined, { signal });
    }
  }
}

type Told = Awaited<ReturnType<SessionEventIterator<DomainEvent>['next']>>['value'];

function tell(
  deps: EventWatchDeps,
  told: NonNullable<Told>,
  { skipped }: { readonly skipped: readonly string[] },
): void {
  if (told.kind === 'overflow') {
    deps.onMissed({ kind: 'missed', reason: 'too-many', dropped: told.dropped });
    return;
  }
  if (told.kind === 'resubscribed') {
    deps.onMissed({ kind: 'missed', reason: 'libvirt-lost', since: told.lostAt.toISOString() });
    return;
  }
  if (told.kind === 'io-error' && !skipped.includes('io-error-reason')) return;
  if (isWatchedEvent(told)) deps.onEvent(telemetryEventOf(told));
}
