import { once } from 'node:events';
import { connect } from 'node:net';

/** Whether somebody listens on a socket of this machine. */
export async function canConnect(socketPath: string): Promise<boolean> {
  const socket = connect(socketPath);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // Nobody listens, which is what was asked.
  } finally {
    socket.destroy();
  }
}
