import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { countConnected, managementPath, parseUnixSockets, type UnixSocket } from './unix-sockets.ts';

export interface BridgeConnectionsOptions {
  readonly bridge: string;
  /** Where sockets are looked for, as the host calls these directories. */
  readonly directories: readonly string[];
  readonly proc: string;
  readonly vswitchdId: number | undefined;
  readonly controllerId: number | undefined;
  /** How many connections to that bridge are ours. */
  readonly own: () => number;
}

/**
 * How many connections there are to the OpenFlow socket of a bridge from the network that ovn-controller is in, beside
 * our own. The kernel tells without a question to ovs-vswitchd; undefined where it does not.
 */
export async function countBridgeConnections(options: BridgeConnectionsOptions): Promise<number | undefined> {
  const { bridge, directories, proc, vswitchdId, controllerId, own } = options;
  if (vswitchdId === undefined || controllerId === undefined) return undefined;
  try {
    const path = managementPath(await readSockets(proc, vswitchdId), bridge, directories);
    if (path === undefined) return undefined;
    // An accepted socket belongs to the network of the one who has connected.
    const isOurNetwork = (await networkOf(proc, 'self')) === (await networkOf(proc, controllerId));
    const count = countConnected(await readSockets(proc, controllerId), path);
    return Math.max(0, count - (isOurNetwork ? own() : 0));
  } catch {
    // A process that ended meanwhile, or that is hidden from us: then ovs-vswitchd has to be asked.
    return undefined;
  }
}

async function readSockets(proc: string, processId: number): Promise<readonly UnixSocket[]> {
  return parseUnixSockets(await readFile(socketsFile(proc, processId), 'utf8'));
}

/** The file of each network has a number of its own, which everybody may read, unlike the name of the network. */
async function networkOf(proc: string, processId: number | 'self'): Promise<number> {
  return (await stat(socketsFile(proc, processId))).ino;
}

function socketsFile(proc: string, processId: number | 'self'): string {
  return join(proc, String(processId), 'net/unix');
}
