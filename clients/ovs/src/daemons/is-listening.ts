import { connectSocket } from '../connection/connect-socket.ts';
import { isAborted } from '../ovs-error.ts';

const TIMEOUT_MS = 1000;

/** Whether somebody listens on a socket, though it may be too busy to take the call. */
export async function isListening(path: string, signal?: AbortSignal): Promise<boolean> {
  try {
    const socket = await connectSocket({ kind: 'unix', path }, { timeoutMs: TIMEOUT_MS, signal });
    socket.destroy();
    return true;
  } catch (error) {
    // The queue of callers is full: of a daemon that is stopped, but there.
    if (causeCode(error) === 'EAGAIN') return true;
    if (isAborted(error)) throw error;
    return false;
  }
}

function causeCode(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}
