import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { findProgram, SYSTEM_PATH } from '@smalt/libvirt-daemon';

import { OvsBedError } from './error.ts';

export interface CableOptions {
  readonly device: string;
  readonly peer: string;
  readonly speedMbps: number;
}

/** Makes two devices that are the ends of a cable of some speed. It is there until it is disposed of or its owner ends. */
export async function addCable(networkOf: number, { device, peer, speedMbps }: CableOptions): Promise<AsyncDisposable> {
  const nsenter = await findProgram('nsenter', 'util-linux');
  const python = await findProgram('python3', 'python3');
  await findProgram('ethtool', 'ethtool');
  const script = join(import.meta.dirname, 'python', 'tapwire.py');
  const words = ['--target', String(networkOf), '--net', python, script, device, peer, String(speedMbps)];
  const child = spawn(nsenter, words, { stdio: 'pipe', env: { PATH: SYSTEM_PATH }, cwd: '/' });
  const closed = once(child, 'close');
  const complaint = text(child.stderr);
  child.stdin.on('error', () => undefined);
  const [first] = await Promise.race([once(child.stdout, 'data'), closed]);
  if (!(first instanceof Buffer))
    throw new OvsBedError('start-failed', `The cable of ${device} failed: ${await complaint}`);
  return {
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await closed;
    },
  };
}
