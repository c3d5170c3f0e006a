import { join } from 'node:path';
import { BenchmarkError } from '../src/benchmark-error.ts';
import { PeerProcess } from '../src/peer-process.ts';
import { PEER_NAMES, PEER_TITLES, type PeerName } from './peer-name.ts';
import { peerCommand } from './peer-programs.ts';

const CACHE_FOLDER = join(import.meta.dirname, '../../.cache/benchmarks');
const READY_TIMEOUT_MS = 30_000;

/** A peer's process, connected. */
export interface StartedPeer {
  readonly name: PeerName;
  readonly process: PeerProcess;
  /** The client library's name and version, in the peer's own words. */
  readonly version: string;
}

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

async function startPeer(
  name: PeerName,
  uri: string,
  owner: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<StartedPeer> {
  const command = await peerCommand(name, CACHE_FOLDER, signal);
  const process = owner.use(new PeerProcess(PEER_TITLES[name], [...command, uri]));
  const { ready } = await process.answer(AbortSignal.any([signal, AbortSignal.timeout(READY_TIMEOUT_MS)]));
  if (typeof ready !== 'string')
    throw new BenchmarkError('peer-failed', `${process.name} did not say that it is ready`);
  return { name, process, version: ready };
}
