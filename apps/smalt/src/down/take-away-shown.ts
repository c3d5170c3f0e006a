import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { runProgram } from '@smalt/libvirt-daemon';
import { parseMountTable } from '@smalt/pod-sandbox';

import { dataPath } from '../up/data-directory.ts';

const UNMOUNT = { name: 'umount', debianPackage: 'mount' } as const;
/** Where virt-handler shows volumes to guests, in the directory of each instance. */
const SHOWN = /^\/[^/]+\/shown\/[^/]+$/u;

/** Unmounts the volumes that guests of a data directory were shown: what lies in them is not removed with it. */
export async function takeAwayShown(dataDirectory: string, signal: AbortSignal): Promise<void> {
  // As the kernel has it: without links.
  const instances = join(await realpath(dataDirectory), dataPath('', 'virtHandler'), 'instances');
  const mounts = parseMountTable(await readFile('/proc/self/mountinfo', 'utf8')).map(({ mountPoint }) => mountPoint);
  const shown = mounts.filter((path) => path.startsWith(`${instances}/`) && SHOWN.test(path.slice(instances.length)));
  for (const path of shown.toReversed()) await runProgram(UNMOUNT, ['--lazy', '--', path], { signal });
}
