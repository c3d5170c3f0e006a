import { join } from 'node:path';
import { buildProgram, type ProgramSource } from '../src/build-program.ts';
import type { PeerName } from './peer-name.ts';

const C_CLIENT: ProgramSource = {
  name: 'libvirt-peer-c',
  folder: import.meta.dirname,
  files: ['peer.c'],
  version: ['cc', '--version'],
  build: (output) => ['cc', '-O2', '-Wall', '-Wextra', '-o', output, 'peer.c', '-lvirt', '-lpthread'],
};

const GO_CLIENT: ProgramSource = {
  name: 'libvirt-peer-go',
  folder: join(import.meta.dirname, 'peer-go'),
  files: ['main.go', 'go.mod', 'go.sum'],
  version: ['go', 'version'],
  build: (output) => ['go', 'build', '-mod=readonly', '-buildvcs=false', '-o', output, '.'],
};

const NATIVE_CLIENTS = { c: C_CLIENT, go: GO_CLIENT };

/** The command that starts a peer on a URI; native peers are built first. Throws `build-failed`. */
export async function peerCommand(
  name: PeerName,
  cacheFolder: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (name === 'smalt') return [process.execPath, join(import.meta.dirname, 'peer-smalt.ts')];
  return [await buildProgram(NATIVE_CLIENTS[name], cacheFolder, signal)];
}
