import { type ProcessMemory, readProcessMemory } from '../src/process-memory.ts';
import type { PeerName } from './peer-name.ts';

/** A peer's memory when it has connected and done nothing yet, and after everything was measured. */
export interface PeerMemory {
  readonly idle: ProcessMemory;
  readonly after: ProcessMemory;
}

/** The memory of each peer at hand. */
export type MemoryByPeer = ReadonlyMap<PeerName, PeerMemory>;

interface PeerWithPid {
  readonly name: PeerName;
  readonly process: { readonly pid: number };
}

/** Reads the memory of every peer now; the function returned reads it again and gives both. */
export async function watchMemory(peers: readonly PeerWithPid[]): Promise<() => Promise<MemoryByPeer>> {
  const readAll = (): Promise<readonly ProcessMemory[]> =>
    Promise.all(peers.map(({ process }) => readProcessMemory(process.pid)));
  const before = await readAll();
  return async () => {
    const now = await readAll();
    const memory = new Map<PeerName, PeerMemory>();
    for (const [index, { name }] of peers.entries()) {
      const [idle, after] = [before[index], now[index]];
      if (idle && after) memory.set(name, { idle, after });
    }
    return memory;
  };
}
