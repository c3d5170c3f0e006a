import { isConnectionLost, LibvirtError } from '@smalt/libvirt';

import { VirtHandlerError } from '../../virt-handler-error.ts';

/** An error of libvirt as one of the handler, with what it was about. Others stay as they are. */
export function explainLibvirtFailure(error: unknown, what: string): unknown {
  if (!(error instanceof LibvirtError) || error.code === 'aborted') return error;
  const { message } = error;
  if (isConnectionLost(error)) {
    return new VirtHandlerError('unavailable', `${what}: libvirt went away; it goes on when it is back`, {
      cause: error,
    });
  }
  return new VirtHandlerError(isFull(message) ? 'disk-full' : 'start-failed', `${what}: ${message}`, { cause: error });
}

function isFull(message: string): boolean {
  return message.includes('No space left on device');
}
