import type { IncomingMessage } from 'node:http';

import { serviceUnavailableError } from '../errors/make-status-error.ts';
import type { UpgradeCall } from '../http/upgrade-handler.ts';
import { endToEndHeaders } from './proxy-request.ts';

/** No refusal of an upgrade is longer; what is, is cut off. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Gives the client the one answer of a server that did not switch protocols, and closes both connections. Nothing that
 * the client sends reaches that server any more.
 */
export async function relayAnswer(call: UpgradeCall, response: IncomingMessage, timeoutMs: number): Promise<void> {
  const { statusCode: code = 502, statusMessage = '', headers } = response;
  try {
    if (code < 200) throw serviceUnavailableError(`the backend answered an upgrade with ${code} and no protocol`);
    if (code >= 300 && code < 400) {
      throw serviceUnavailableError('the backend attempted to redirect this request, which is not permitted');
    }
    const body = await readBounded(response, AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)]));
    const kept = { ...endToEndHeaders(headers), 'content-length': body.length, connection: 'close' };
    const lines = Object.entries(kept).flatMap(([name, value]) =>
      [value].flat().map((each) => `${name}: ${String(each)}`),
    );
    call.started?.(code);
    call.socket.write(`HTTP/1.1 ${code} ${statusMessage}\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    // What the client still sends is taken and thrown away; left unread it would cost the client the answer.
    call.socket.resume();
    await new Promise<void>((resolve) => {
      call.socket.once('close', resolve);
      call.socket.end(body, () => resolve());
    });
    call.socket.destroy();
  } finally {
    response.destroy();
  }
}

function readBounded(response: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    // However the answer ends, what came of it is what the client gets.
    const finish = (): void => {
      signal.removeEventListener('abort', finish);
      resolve(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES));
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_BODY_BYTES) finish();
    });
    response.once('close', finish);
    response.once('end', finish);
    response.on('error', finish);
    signal.addEventListener('abort', finish, { once: true });
    if (signal.aborted) finish();
  });
}
