import { createConnection, type Socket } from 'node:net';

import { SystemdError } from '../systemd-error.ts';

/** Connects to the socket of a bus. Fails with `no-bus` where there is none, with `bus-lost` where nobody listens. */
export function connectSocket(path: string, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  if (signal.aborted) {
    reject(new SystemdError('aborted', 'Connecting to the bus was given up', { cause: signal.reason }));
    return promise;
  }
  const socket = createConnection({ path });
  const onAbort = (): void => {
    socket.destroy();
    reject(new SystemdError('aborted', 'Connecting to the bus was given up', { cause: signal.reason }));
  };
  const onError = (cause: Error): void => reject(explain(path, cause));
  signal.addEventListener('abort', onAbort, { once: true });
  socket.once('error', onError);
  socket.once('connect', () => resolve(socket));
  return promise.finally(() => {
    signal.removeEventListener('abort', onAbort);
    socket.off('error', onError);
  });
}

function explain(path: string, cause: Error): SystemdError {
  const code = 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT') return new SystemdError('no-bus', `There is no bus at ${path}`, { cause });
  if (code === 'EACCES') return new SystemdError('access-denied', `The bus at ${path} may not be opened`, { cause });
  return new SystemdError('bus-lost', `The bus at ${path} does not answer: ${cause.message}`, { cause });
}
