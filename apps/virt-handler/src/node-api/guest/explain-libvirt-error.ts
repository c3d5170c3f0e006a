import { isLibvirtError, type LibvirtErrorCode } from '@smalt/libvirt';

import { VirtHandlerError } from '../../virt-handler-error.ts';

const NOT_RUNNING: ReadonlySet<LibvirtErrorCode> = new Set(['no-domain', 'operation-invalid']);
const NO_AGENT: ReadonlySet<LibvirtErrorCode> = new Set(['agent-unresponsive', 'agent-unsynced']);
const SLOW: ReadonlySet<LibvirtErrorCode> = new Set(['agent-command-timeout', 'operation-timeout', 'timeout']);
const AWAY: ReadonlySet<LibvirtErrorCode> = new Set([
  'connect-failed',
  'connect-timeout',
  'connection-lost',
  'keepalive-timeout',
  'closed',
]);
const IMPOSSIBLE: ReadonlySet<LibvirtErrorCode> = new Set([
  'unsupported',
  'operation-unsupported',
  'argument-unsupported',
  'config-unsupported',
]);

/** Says of a failure of libvirt what it means for who asked; anything else is given back as it is. */
export function explainLibvirtError(error: unknown): unknown {
  if (!isLibvirtError(error)) return error;
  const { code, message } = error;
  const options = { cause: error };
  if (NO_AGENT.has(code)) {
    return new VirtHandlerError('conflict', 'VMI does not have guest agent connected', options);
  }
  if (NOT_RUNNING.has(code)) return new VirtHandlerError('conflict', `VMI is not running: ${message}`, options);
  if (SLOW.has(code)) {
    return new VirtHandlerError('unavailable', `the guest did not answer in time: ${message}; try again`, options);
  }
  if (AWAY.has(code)) {
    const text = 'the libvirt of the node does not answer; it is connected again by itself: try again in a moment';
    return new VirtHandlerError('unavailable', text, options);
  }
  if (IMPOSSIBLE.has(code)) {
    return new VirtHandlerError('bad-request', `the hypervisor cannot do that: ${message}`, options);
  }
  return new VirtHandlerError('guest-failed', `libvirt refused: ${message}`, options);
}
