import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const RETRY_MS = 20;

/** Resolves once the daemon behind a socket answers a call: it accepts earlier, while its drivers still load. */
export async function waitUntilServed(socketPath: string, signal: AbortSignal): Promise<void> {
  while (!(await answers(socketPath, signal))) await delay(RETRY_MS, undefined, { signal });
}

async function answers(socketPath: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    const abort = (): void => {
      socket.destroy();
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    };
    const settle = (isServed: boolean): void => {
      signal.removeEventListener('abort', abort);
      socket.destroy();
      resolve(isServed);
    };
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    socket.once('connect', () => socket.write(authListCall()));
    socket.once('data', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
  });
}

/** The question every client asks first; it needs no open connection to a driver. */
function authListCall(): Buffer {
  const program = 0x20008086;
  const authList = 66;
  const words = [28, program, 1, authList, 0, 0, 0];
  const frame = Buffer.alloc(28);
  words.forEach((word, index) => frame.writeUInt32BE(word, index * 4));
  return frame;
}
