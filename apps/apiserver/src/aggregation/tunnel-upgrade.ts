import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';

import { networkProblem } from '../admission/network-problem.ts';
import { badRequestError, serviceUnavailableError } from '../errors/make-status-error.ts';
import type { UpgradeCall } from '../http/upgrade-handler.ts';
import { withoutWebSocketToken } from '../identity/bearer-token.ts';
import { tlsOptions, type TlsTarget } from './tls-target.ts';

export interface TunneledRequest {
  /** With its query. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly target: TlsTarget;
}

/**
 * Passes a request that goes on in another protocol to another server, and from then on every byte both ways until one
 * side closes. Also the answer of the other server, whatever it is, goes to the client as it is.
 */
export async function tunnelUpgrade(call: UpgradeCall, request: TunneledRequest): Promise<void> {
  const { socket, head, signal } = call;
  const lines = requestHead(call, request);
  const other = connect({ ...tlsOptions(request.target), ALPNProtocols: ['http/1.1'] });
  try {
    await once(other, 'secureConnect', { signal });
  } catch (error) {
    other.destroy();
    throw serviceUnavailableError(`error trying to reach service: ${networkProblem(error, signal)}`);
  }
  other.write(lines);
  if (head.length > 0) other.write(head);
  await joined(socket, other, signal);
}

function requestHead({ request }: UpgradeCall, { path, headers }: TunneledRequest): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return (Array.isArray(value) ? value : [value]).map((each) => headerLine(name, String(each)));
  });
  return `${request.method ?? 'GET'} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

// The name of a user can be whatever stands in a certificate; a line break in it would start a header of its own.
function headerLine(name: string, value: string): string {
  if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) throw badRequestError(`the header ${name} cannot be passed on`);
  return `${name}: ${name.toLowerCase() === 'sec-websocket-protocol' ? withoutWebSocketToken(value) : value}`;
}

function joined(socket: Duplex, other: Duplex, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const close = (): void => {
      signal.removeEventListener('abort', close);
      socket.destroy();
      other.destroy();
      resolve();
    };
    signal.addEventListener('abort', close, { once: true });
    // An error of a stream is always followed by its end, which is what counts here.
    other.on('error', close);
    socket.on('error', close);
    other.once('close', close);
    socket.once('close', close);
    socket.pipe(other);
    other.pipe(socket);
    if (signal.aborted || socket.destroyed || other.destroyed) close();
  });
}
