import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { runProgram } from '@smalt/libvirt-daemon';

import { packageNames } from './package-names.ts';

const APT_GET = { name: 'apt-get', debianPackage: 'apt' } as const;
const DPKG_DEB = { name: 'dpkg-deb', debianPackage: 'dpkg' } as const;
const LOCK = ['-o', 'DPkg::Lock::Timeout=900'] as const;

/**
 * Downloads the packages and unpacks them below `directory/root`, without installing any: no scripts of theirs run, and
 * the machine's own software stays what it is. `directory/packages` lists what they were.
 */
export async function unpackPackages(
  directory: string,
  { onProgress, signal }: { readonly onProgress: (words: string) => void; readonly signal: AbortSignal },
): Promise<void> {
  const downloads = join(directory, 'downloads');
  const root = join(directory, 'root');
  await mkdir(downloads, { recursive: true });
  await mkdir(root);
  onProgress(`downloading ${packageNames().length} packages`);
  await downloadWithFreshLists(downloads, signal);
  const files = (await readdir(downloads)).filter((name) => name.endsWith('.deb')).toSorted();
  for (const [index, file] of files.entries()) {
    onProgress(`unpacking package ${index + 1} of ${files.length}`);
    await runProgram(DPKG_DEB, ['--extract', join(downloads, file), root], { signal });
  }
  await writeFile(join(directory, 'packages'), `${files.join('\n')}\n`);
}

async function downloadWithFreshLists(directory: string, signal: AbortSignal): Promise<void> {
  // apt lays a download into a directory that is its user's own only if that user may write there.
  const download = ['download', '--quiet', '-o', 'APT::Sandbox::User=root', ...packageNames()];
  try {
    await runProgram(APT_GET, download, { directory, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    // apt's lists are missing, or older than what the mirror holds. If it is anything else, it shows again.
    await runProgram(APT_GET, ['update', '--quiet', ...LOCK], { signal });
    await runProgram(APT_GET, download, { directory, signal });
  }
}
