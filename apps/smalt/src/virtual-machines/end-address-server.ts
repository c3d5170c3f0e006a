import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { markProcess, untilGone } from '@smalt/libvirt-daemon';

/** Ends the dnsmasq that gives the guests of a virt-handler their addresses: it outlives the handler, and has no guests any more. */
export async function endAddressServer(handlerDirectory: string, signal: AbortSignal): Promise<void> {
  const directory = join(handlerDirectory, 'networks/nat');
  const pid = Number.parseInt(await readIfThere(join(directory, 'dnsmasq.pid')), 10);
  if (!Number.isSafeInteger(pid) || pid < 2) return;
  const mark = await markProcess(pid);
  const words = (await readIfThere(`/proc/${pid}/cmdline`)).split('\0');
  // Another process may have that number by now.
  if (mark === undefined || !words.includes(`--conf-file=${join(directory, 'dnsmasq.conf')}`)) return;
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    // It has ended since the last look.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
  await untilGone(mark, signal);
}

async function readIfThere(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '');
}
