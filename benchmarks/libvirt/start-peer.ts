import { join } from 'node:path';
import { BenchmarkError } from '../src/benchmark-error.ts';
import { PeerProcess } from '../src/peer-process.ts';
import { PEER_TITLES, type PeerName } from './peer-name.ts';
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

/** Builds a peer if need be, starts it into `owner`, and resolves when it is connected to the daemon. */
export async function startPeer(
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
