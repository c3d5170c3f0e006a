import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../clock.ts';
import { connect } from '../connect.ts';
import { parseLibvirtUri } from '../transport/parse-uri.ts';
import { checkSessionOptions } from './check-session-options.ts';
import { ConnectionKeeper } from './connection-keeper.ts';
import { LibvirtSession } from './libvirt-session.ts';
import type { SessionOptions } from './session-options.ts';

const DEFAULT_STABLE_AFTER_MS = 10_000;
const DEFAULT_RECONNECT_GRACE_MS = 30_000;
const DEFAULT_MAX_WAITING_CALLS = 1_000;
const MAX_WAITING_STATES = 64;

/**
 * Starts to connect to the daemon a libvirt URI names, and goes on doing so until the session is closed. Only a URI
 * that cannot be followed, and options that cannot work, are refused at once.
 *
 * @example
 * await using session = openSession('qemu:///system');
 * const domains = await session.connectListAllDomains();
 */
export function openSession(uri: string, options: SessionOptions = {}): LibvirtSession {
  checkSessionOptions(options);
  parseLibvirtUri(uri, options);
  const clock = options.clock ?? systemClock;
  const now = options.now ?? ((): Date => new Date());
  const keeper = new ConnectionKeeper({
    open: (signal) => connect(uri, { ...options, signal }),
    backOff: options.backOff ?? {},
    maxAttempts: options.maxAttempts ?? Infinity,
    stableAfterMs: options.stableAfterMs ?? DEFAULT_STABLE_AFTER_MS,
    maxWaitingCalls: options.maxWaitingCalls ?? DEFAULT_MAX_WAITING_CALLS,
    maxWaitingStates: MAX_WAITING_STATES,
    clock,
    now,
    random: options.random ?? Math.random,
    delay: options.delay ?? ((delayMs, signal) => delay(delayMs, undefined, { signal })),
  });
  return new LibvirtSession({
    uri,
    keeper,
    clock,
    now,
    whenDown: options.whenDown ?? 'wait',
    reconnectGraceMs: options.reconnectGraceMs ?? DEFAULT_RECONNECT_GRACE_MS,
  });
}
