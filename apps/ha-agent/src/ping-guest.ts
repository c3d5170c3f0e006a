import {
  DomainJobType,
  DomainState,
  isConnectionLost,
  isLibvirtError,
  type Domain,
  type LibvirtErrorCode,
} from '@smalt/libvirt';
import type { Ignore } from '@smalt/service-runtime';

import type { PingResult } from './guest-pulse.ts';
import type { HaAgentDeps } from './ha-agent-deps.ts';
import { isAgentConnected } from './is-agent-connected.ts';

const PING = JSON.stringify({ execute: 'guest-ping' });
/** The daemon waits 30 seconds for a domain that is busy. Giving up sooner would free our place, but not the daemon's. */
const DAEMON_WAIT_MS = 35_000;

const SILENT: ReadonlySet<LibvirtErrorCode> = new Set(['agent-command-timeout', 'agent-unresponsive']);
const REFUSED: ReadonlySet<LibvirtErrorCode> = new Set([
  'unsupported',
  'argument-unsupported',
  'operation-unsupported',
  'access-denied',
  'operation-denied',
]);

export interface PingDeps {
  readonly session: Pick<
    HaAgentDeps['session'],
    'domainGetJobInfo' | 'domainGetState' | 'domainGetXmlDesc' | 'qemuDomainAgentCommand'
  >;
  readonly ignore: Ignore;
}

export interface PingOptions {
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

/**
 * Asks the agent in a guest whether it is there. A guest that is being migrated, saved or dumped is not asked, and one that
 * did not answer has missed it only if it still ran undisturbed afterwards. `refused`: it need not be asked again.
 */
export async function pingGuest(deps: PingDeps, domain: Domain, options: PingOptions): Promise<PingResult | 'refused'> {
  const { session, ignore } = deps;
  const { signal } = options;
  try {
    if (await hasJob(session, domain, signal)) return 'excused';
    if (await hasAnswered(session, domain, options)) return 'answered';
    return (await isUndisturbed(session, domain, signal)) ? 'missed' : 'excused';
  } catch (error) {
    if (signal.aborted || isConnectionLost(error) || !isLibvirtError(error)) throw error;
    if (REFUSED.has(error.code)) return 'refused';
    ignore(error, 'a guest could not be asked, it is asked again');
    return 'excused';
  }
}

/** Whether an agent in the guest holds its channel open now. */
export async function readAgentConnected(
  session: PingDeps['session'],
  domain: Domain,
  signal: AbortSignal,
): Promise<boolean> {
  return isAgentConnected(await session.domainGetXmlDesc({ domain }, { signal, timeoutMs: DAEMON_WAIT_MS }));
}

async function hasAnswered(
  session: PingDeps['session'],
  domain: Domain,
  { timeoutSeconds, signal }: PingOptions,
): Promise<boolean> {
  // The daemon asks the agent twice, for its attention and for the answer.
  const timeoutMs = DAEMON_WAIT_MS + 2 * timeoutSeconds * 1000;
  try {
    await session.qemuDomainAgentCommand({ domain, command: PING, timeout: timeoutSeconds }, { signal, timeoutMs });
    return true;
  } catch (error) {
    if (isLibvirtError(error) && SILENT.has(error.code)) return false;
    throw error;
  }
}

async function isUndisturbed(session: PingDeps['session'], domain: Domain, signal: AbortSignal): Promise<boolean> {
  const { state } = await session.domainGetState({ domain }, { signal, timeoutMs: DAEMON_WAIT_MS });
  if (state !== DomainState.running || (await hasJob(session, domain, signal))) return false;
  // An agent that is not connected is called unresponsive too.
  return await readAgentConnected(session, domain, signal);
}

async function hasJob(session: PingDeps['session'], domain: Domain, signal: AbortSignal): Promise<boolean> {
  const { type } = await session.domainGetJobInfo({ domain }, { signal, timeoutMs: DAEMON_WAIT_MS });
  return type !== DomainJobType.none;
}
