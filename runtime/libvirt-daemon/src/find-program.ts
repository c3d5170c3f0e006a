import { access, constants } from 'node:fs/promises';

import { LibvirtDaemonError } from './error.ts';

const SYSTEM_DIRECTORIES = ['/usr/sbin', '/usr/bin', '/sbin', '/bin'] as const;

/** The search path given to every program we start: theirs must not depend on who starts us. */
export const SYSTEM_PATH: string = SYSTEM_DIRECTORIES.join(':');

/** Finds a program of the operating system by name or path, or says which Debian package holds it. */
export async function findProgram(name: string, debianPackage: string): Promise<string> {
  const candidates = name.startsWith('/') ? [name] : SYSTEM_DIRECTORIES.map((directory) => `${directory}/${name}`);
  for (const path of candidates) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  throw new LibvirtDaemonError(
    'missing-program',
    `The program ${name} is missing: install the Debian package ${debianPackage}`,
  );
}
