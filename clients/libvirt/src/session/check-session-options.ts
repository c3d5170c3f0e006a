import { checkConnectOptions } from '../check-connect-options.ts';
import { LibvirtError } from '../libvirt-error.ts';
import type { SessionOptions } from './session-options.ts';

/** A timer that is set for longer goes off at once. */
const LONGEST_PAUSE_MS = 2_147_483_647;

/** Refuses options that cannot work, by name, before anything is opened. */
export function checkSessionOptions(options: SessionOptions): void {
  const { backOff = {} } = options;
  checkConnectOptions(options);
  checkRange('backOff.initialMs', backOff.initialMs, 1, LONGEST_PAUSE_MS);
  checkRange('backOff.maxMs', backOff.maxMs, 1, LONGEST_PAUSE_MS);
  checkRange('backOff.factor', backOff.factor, 1, Number.MAX_VALUE);
  checkRange('maxAttempts', options.maxAttempts, 1, Infinity);
  checkRange('stableAfterMs', options.stableAfterMs, 0, Infinity);
  checkRange('reconnectGraceMs', options.reconnectGraceMs, 0, Infinity);
  checkRange('maxWaitingCalls', options.maxWaitingCalls, 0, Infinity);
  const { whenDown = 'wait' } = options;
  if (whenDown !== 'wait' && whenDown !== 'fail') {
    throw new LibvirtError('invalid-arg', `whenDown: must be wait or fail, is ${String(whenDown)}`);
  }
}

function checkRange(name: string, value: number | undefined, min: number, max: number): void {
  if (value === undefined || (value >= min && value <= max)) return;
  const range = max === Infinity || max === Number.MAX_VALUE ? `at least ${min}` : `from ${min} to ${max}`;
  throw new LibvirtError('invalid-arg', `${name}: must be ${range}, is ${value}`);
}
