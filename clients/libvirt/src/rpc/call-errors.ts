import { LibvirtError } from '../libvirt-error.ts';

/** The daemon broke the rules of the protocol. */
export function protocolError(what: string, cause?: unknown): LibvirtError {
  return new LibvirtError('protocol', what, { cause });
}

/** The connection is gone. */
export function lost(message: string, cause?: unknown): LibvirtError {
  return new LibvirtError('connection-lost', message, { cause });
}

/** Bytes that should be a reply and are not. The connection goes on: where the next message begins is still known. */
export function undecodableReply(procedure: string, cause: unknown): LibvirtError {
  const message = `${procedure}: the reply cannot be decoded: ${textOf(cause)}`;
  return new LibvirtError('protocol', message, { cause, procedure });
}

/** What a waiting call is told when its connection ends: the reason, with the call's name in front. */
export function lostDuring(procedure: string, reason: LibvirtError): LibvirtError {
  // A daemon that breaks the protocol takes the connection with it, and to the call that is a lost connection.
  const code = reason.code === 'protocol' ? 'connection-lost' : reason.code;
  return new LibvirtError(code, `${procedure}: ${reason.message}`, { cause: reason, procedure });
}

export function aborted(procedure: string, signal?: AbortSignal): LibvirtError {
  return new LibvirtError('aborted', `${procedure}: given up by the caller`, { cause: signal?.reason, procedure });
}

export function timedOut(procedure: string, timeoutMs: number): LibvirtError {
  return new LibvirtError('timeout', `${procedure}: no reply within ${timeoutMs} ms`, { procedure });
}

export function queueFull(procedure: string, what: string): LibvirtError {
  return new LibvirtError('queue-full', `${procedure}: not sent, ${what}`, { procedure });
}

export function invalidArguments(procedure: string, cause: unknown): LibvirtError {
  const message = `${procedure}: the arguments cannot be sent: ${textOf(cause)}`;
  return new LibvirtError('invalid-arg', message, { cause, procedure });
}

export function withoutDescriptors(procedure: string): LibvirtError {
  const message = `${procedure}: passes file descriptors over the socket, which Node.js cannot do`;
  return new LibvirtError('unsupported', message, { procedure });
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
