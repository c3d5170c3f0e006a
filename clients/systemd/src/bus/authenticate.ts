import type { Socket } from 'node:net';

import { SystemdError } from '../systemd-error.ts';

/** A line of the dialogue is short; a peer that sends more is no bus. */
const MAX_LINE_BYTES = 16_384;

/**
 * Proves to the bus, by the credentials that the kernel vouches for, that we are the user we are. Afterwards messages
 * follow; the result is what came after the last line already.
 */
export async function authenticate(socket: Socket, userId: number): Promise<Buffer> {
  const identity = Buffer.from(String(userId)).toString('hex');
  // The zero carries the credentials on systems other than Linux; the bus wants it everywhere.
  socket.write(`\0AUTH EXTERNAL ${identity}\r\n`);
  const { line, rest } = await readLine(socket);
  if (line.startsWith('REJECTED')) {
    throw new SystemdError('access-denied', `The bus does not let the user ${userId} in: ${line}`);
  }
  if (!line.startsWith('OK '))
    throw new SystemdError('bad-answer', `The bus answered "${line.slice(0, 80)}" instead of OK`);
  socket.write('BEGIN\r\n');
  return rest;
}

function readLine(socket: Socket): Promise<{ readonly line: string; readonly rest: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ line: string; rest: Buffer }>();
  let held: Buffer = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    held = Buffer.concat([held, chunk]);
    const end = held.indexOf('\r\n');
    if (end >= 0) resolve({ line: held.toString('latin1', 0, end), rest: held.subarray(end + 2) });
    else if (held.length > MAX_LINE_BYTES) reject(new SystemdError('bad-answer', 'The bus sent a line without end'));
  };
  const onClose = (): void => reject(new SystemdError('bus-lost', 'The bus hung up before it let us in'));
  socket.on('data', onData);
  socket.once('close', onClose);
  return promise.finally(() => {
    socket.off('data', onData);
    socket.off('close', onClose);
  });
}
