import type { ConnectOptions } from './connect-options.ts';
import { LibvirtError } from './libvirt-error.ts';

/** Refuses numbers that cannot work, by name, before anything is opened. */
export function checkConnectOptions(options: ConnectOptions): void {
  const keepalive = options.keepalive === false ? {} : (options.keepalive ?? {});
  const numbers: Readonly<Record<string, number | undefined>> = {
    connectTimeoutMs: options.connectTimeoutMs,
    callTimeoutMs: options.callTimeoutMs,
    maxPendingCalls: options.maxPendingCalls,
    maxWaitingBytes: options.maxWaitingBytes,
    maxStreamBufferBytes: options.maxStreamBufferBytes,
    maxLongCalls: options.maxLongCalls,
    'keepalive.intervalMs': keepalive.intervalMs,
    'keepalive.count': keepalive.count,
  };
  const { busyPollMicroseconds = 0 } = options;
  if (!(busyPollMicroseconds >= 0)) {
    throw new LibvirtError('invalid-arg', `busyPollMicroseconds: must be 0 or more, is ${busyPollMicroseconds}`);
  }
  for (const [name, value] of Object.entries(numbers)) {
    if (value !== undefined && !(value > 0)) {
      throw new LibvirtError('invalid-arg', `${name}: must be more than 0, is ${value}`);
    }
  }
}
