import { STATUS_CODES, type OutgoingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';

import { refusalOf } from './send-json.ts';
import { DATA_HEADERS } from './security-headers.ts';

/** Answers a request for another protocol by hand; anything but 101 is the end of the connection. */
export function answerUpgrade(socket: Duplex, status: number, headers: OutgoingHttpHeaders, body?: Buffer): void {
  if (socket.destroyed) return;
  const isEnd = status !== 101;
  const own = isEnd
    ? { ...headers, ...DATA_HEADERS, 'content-length': body?.length ?? 0, connection: 'close' }
    : headers;
  const lines = Object.entries(own).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}: ${String(each)}\r\n`),
  );
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`, 'latin1');
  if (!isEnd) return;
  // What still comes is taken and thrown away: left unread it would cost the browser the answer.
  socket.resume();
  socket.end(body, () => socket.destroy());
}

/** Says why not. */
export function refuseUpgrade(socket: Duplex, error: unknown): void {
  const { status, body, headers } = refusalOf(error);
  answerUpgrade(socket, status, { ...headers, 'content-type': 'application/json' }, Buffer.from(JSON.stringify(body)));
}
