import { readdir } from 'node:fs/promises';

import { PostgresBedError } from './error.ts';

const PARENT = '/usr/lib/postgresql';

/** The directory with the programs of the newest PostgreSQL of this machine. */
export async function findPostgres(): Promise<string> {
  const versions = (await readdir(PARENT).catch(() => [])).filter((name) => /^\d+$/.test(name));
  const newest = versions.map(Number).toSorted((one, other) => other - one)[0];
  if (newest !== undefined) return `${PARENT}/${newest}/bin`;
  throw new PostgresBedError('missing-program', `There is no PostgreSQL in ${PARENT}: install the package postgresql`);
}
