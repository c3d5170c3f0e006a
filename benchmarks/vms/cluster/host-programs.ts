import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { BedHost } from '@smalt/bed-libvirt';

const run = promisify(execFile);

/** What the real kubectl prints. */
export async function kubectl(kubeconfig: string, words: readonly string[], signal: AbortSignal): Promise<string> {
  return (await run('kubectl', [`--kubeconfig=${kubeconfig}`, ...words], { signal })).stdout;
}

/** One virsh at the libvirtd of a host, with one command after the other. */
export async function virsh(host: BedHost, commands: readonly string[], signal: AbortSignal): Promise<string> {
  const words = ['--quiet', '--connect', `qemu+unix:///system?socket=${host.socketPath}`, commands.join('; ')];
  return (await run('virsh', words, { signal, maxBuffer: 64 * 1024 * 1024 })).stdout;
}
