import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeFileSafely } from '@smalt/files';

const SHARED = '/var/cache/smalt/qemu-capabilities';

/**
 * libvirtd asks each QEMU what it can do, which takes seconds, and keeps the answer with the versions it holds for.
 * A host, or any other directory of a libvirtd, begins with the answers earlier ones got; libvirtd asks again where they
 * no longer hold.
 */
export async function lendCapabilities(hostDirectory: string): Promise<void> {
  await copyChanged(SHARED, capabilitiesOf(hostDirectory));
}

/** Keeps what a host's libvirtd learned about QEMU for the hosts to come. */
export async function keepCapabilities(hostDirectory: string): Promise<void> {
  await copyChanged(capabilitiesOf(hostDirectory), SHARED);
}

function capabilitiesOf(hostDirectory: string): string {
  return join(hostDirectory, 'cache', 'qemu', 'capabilities');
}

async function copyChanged(from: string, to: string): Promise<void> {
  await Promise.all([mkdir(from, { recursive: true }), mkdir(to, { recursive: true })]);
  for (const name of (await readdir(from)).filter((each) => each.endsWith('.xml'))) {
    const [text, present] = await Promise.all([read(join(from, name)), read(join(to, name))]);
    if (text === '' || text === present) continue;
    // Others may look at the same time. After a loss of power libvirtd asks again.
    await writeFileSafely(join(to, name), text, { mode: 0o644, isDurable: false });
  }
}

async function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  });
}
