import { BenchmarkError } from '../src/benchmark-error.ts';
import type { PeerProcess } from '../src/peer-process.ts';
import { PEER_NAMES, PEER_TITLES, type PeerName } from './peer-name.ts';
import { type StartedPeer, startPeer } from './start-peer.ts';

/** The peers at hand, connected to the same daemon, and why the others are not. */
export interface Peers {
  readonly peers: readonly StartedPeer[];
  /** A further process of our own client, never measured, that prepares domains and provokes events. */
  readonly provoker: PeerProcess;
  readonly notes: readonly string[];
}

/** Starts every peer there is into `owner`. Only ours has to be there; another that fails leaves a note. */
export async function startPeers(uri: string, owner: AsyncDisposableStack, signal: AbortSignal): Promise<Peers> {
  const start = (name: PeerName): Promise<StartedPeer> => startPeer(name, uri, owner, signal);
  const provoker = await start('smalt');
  const peers: StartedPeer[] = [];
  const notes: string[] = [];
  for (const name of PEER_NAMES) {
    try {
      peers.push(await start(name));
    } catch (error) {
      if (name === 'smalt' || !(error instanceof BenchmarkError)) throw error;
      notes.push(`${PEER_TITLES[name]} is left out: ${error.message}`);
    }
  }
  return { peers, provoker: provoker.process, notes };
}
