import { type Clock, systemClock } from '../connection/clock.ts';
import { connectSocket } from '../connection/connect-socket.ts';
import { withDeadline } from '../connection/with-deadline.ts';
import { OvsError } from '../ovs-error.ts';
import { BridgeConnection } from './bridge-connection.ts';
import { greetSwitch } from './greet-switch.ts';
import { OpenFlowChannel } from './openflow-channel.ts';
import type { OpenFlowConnection } from './openflow-connection.ts';

export interface OpenFlowOptions {
  /** The bridge's management socket: `/run/openvswitch/br-int.mgmt`. */
  readonly socket: string;
  /** How long one request may take, and connecting; 5 s unless said. */
  readonly requestTimeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

const REQUEST_TIMEOUT_MS = 5000;

/** Connects to a bridge and agrees on a version. A bridge that allows none of ours is an OvsError `unsupported`. */
export async function openOpenFlow(options: OpenFlowOptions): Promise<OpenFlowConnection> {
  const { socket: path, requestTimeoutMs = REQUEST_TIMEOUT_MS, signal, clock = systemClock } = options;
  const started = clock.now();
  const socket = await connectSocket({ kind: 'unix', path }, { timeoutMs: requestTimeoutMs, signal, clock });
  const timeoutMs = Math.max(0, requestTimeoutMs - (clock.now() - started));
  // An error after a lost greeting is told by the greeting itself; unheard it would end the process.
  socket.on('error', () => undefined);
  try {
    const deadline = { clock, timeoutMs, signal, what: `no greeting from ${path}` };
    const { version, splitter } = await withDeadline(greetSwitch(socket, path), deadline);
    const channel = new OpenFlowChannel({ socket, splitter, version, remote: path, clock, requestTimeoutMs });
    socket.resume();
    return new BridgeConnection(path, channel, version);
  } catch (error) {
    socket.destroy();
    if (error instanceof OvsError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new OvsError('closed', `the connection to ${path} was lost: ${why}`, { cause: error });
  }
}
