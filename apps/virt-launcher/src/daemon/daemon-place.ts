import { access, constants, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { DaemonCommand } from '@smalt/hypervisors';
import { lendQemuAccount, type BindMount } from '@smalt/libvirt-daemon';

import { daemonScript } from './daemon-script.ts';
import type { DaemonPlan } from './plan-daemons.ts';

/** The directories of libvirt, and what each is called in a sandbox. */
const DIRECTORIES: readonly (readonly [string, string])[] = [
  ['/etc/libvirt', 'etc'],
  ['/var/lib/libvirt', 'lib'],
  ['/var/log/libvirt', 'log'],
  ['/var/cache/libvirt', 'cache'],
  ['/run/libvirt', 'run'],
];
const SYSTEM_DIRECTORIES = ['/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** Where the daemons of a launcher live: in a container its own directories, on a node those of its sandbox. */
export class DaemonPlace {
  readonly #root: string | undefined;
  /** Files that only the daemons are shown. */
  #lent: readonly BindMount[] = [];

  constructor(sandbox: string | undefined) {
    this.#root = sandbox === undefined ? undefined : join(sandbox, 'libvirt');
  }

  /** A path of libvirt as the launcher sees it. */
  path(path: string): string {
    const [target, name] = DIRECTORIES.find(([directory]) => path.startsWith(`${directory}/`)) ?? [];
    if (this.#root === undefined || target === undefined || name === undefined) return path;
    return join(this.#root, name, path.slice(target.length));
  }

  /** Makes the directories and writes the files of a plan. */
  async layOut({ files }: DaemonPlan): Promise<void> {
    for (const [target, name] of DIRECTORIES) {
      await mkdir(this.#root === undefined ? target : join(this.#root, name), { recursive: true, mode: 0o711 });
      // A mount point has to be there; an empty directory does no harm.
      await mkdir(target, { recursive: true });
    }
    if (this.#root !== undefined) this.#lent = await lendQemuAccount(this.#root);
    for (const { path, text } of files) {
      await mkdir(dirname(this.path(path)), { recursive: true });
      await writeFile(this.path(path), text, { mode: 0o600 });
    }
  }

  /** What is run for a daemon, the program first. It ends with the launcher, however that ends. */
  command(daemon: DaemonCommand): readonly string[] {
    const lifeline = ['setpriv', '--pdeathsig', 'KILL', '--'];
    const vector = [daemon.program, ...daemon.arguments];
    const root = this.#root;
    if (root === undefined) return [...lifeline, ...vector];
    const own = DIRECTORIES.map(([target, name]) => ({ source: join(root, name), target }));
    const mounts = [...own, ...this.#lent].flatMap(({ source, target }) => [source, target]);
    const shell = ['bash', '--norc', '--noprofile', '-c', daemonScript, 'daemon'];
    return [...lifeline, 'unshare', '--mount', '--propagation', 'slave', ...shell, ...mounts, '--', ...vector];
  }
}

/** The programs of these names that the system has. */
export async function findPrograms(names: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const name of names) {
    for (const directory of SYSTEM_DIRECTORIES) {
      const isThere = await access(join(directory, name), constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isThere) found.add(name);
    }
  }
  return found;
}

/** The search path of the daemons. */
export const SYSTEM_PATH: string = SYSTEM_DIRECTORIES.join(':');
