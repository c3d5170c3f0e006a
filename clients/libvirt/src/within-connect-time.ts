import { systemClock } from './clock.ts';
import type { ConnectOptions } from './connect-options.ts';
import { isConnectionLost, LibvirtError } from './libvirt-error.ts';
import { describeEndpoint, type LibvirtTarget } from './transport/libvirt-target.ts';

const DEFAULT_CONNECT_TIMEOUT_MS = 10_000;

export type ConnectTimeOptions = Pick<ConnectOptions, 'signal' | 'connectTimeoutMs' | 'clock'>;

/** Lets `open` reach a daemon until its caller gives up or the time for it is over, and says which of them it was. */
export async function withinConnectTime<T>(
  { endpoint }: LibvirtTarget,
  options: ConnectTimeOptions,
  open: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeoutMs = options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS;
  const deadline = new AbortController();
  const cancelDeadline = (options.clock ?? systemClock).schedule(() => deadline.abort(), timeoutMs);
  const signal = options.signal === undefined ? deadline.signal : AbortSignal.any([options.signal, deadline.signal]);
  try {
    return await open(signal);
  } catch (error) {
    const where = describeEndpoint(endpoint);
    if (options.signal?.aborted === true) throw givenUp(where, options.signal);
    if (deadline.signal.aborted) throw tooLate(where, timeoutMs, error);
    throw isConnectionLost(error) ? brokenOff(where, error) : error;
  } finally {
    cancelDeadline();
  }
}

function givenUp(where: string, signal: AbortSignal): LibvirtError {
  return new LibvirtError('aborted', `${where}: connecting was given up by the caller`, { cause: signal.reason });
}

function tooLate(where: string, timeoutMs: number, cause: unknown): LibvirtError {
  const message =
    `${where} did not answer within ${timeoutMs} ms: ` +
    'check that the host is up, that no firewall drops the packets, and that a libvirt daemon listens there';
  return new LibvirtError('connect-timeout', message, { cause });
}

function brokenOff(where: string, cause: LibvirtError): LibvirtError {
  return new LibvirtError('connect-failed', `${where}: ${cause.message}`, { cause });
}
