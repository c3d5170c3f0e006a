import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the daemons of one machine keep their files. Short, because sockets lie in it. */
export interface DaemonPlace {
  readonly runDirectory: string;
  readonly logDirectory: string;
  readonly databaseDirectory: string;
  /** What the programs of Open vSwitch and OVN are told by: their built-in paths are those of the operating system. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Makes the directories below one. */
export async function makeDaemonPlace(directory: string): Promise<DaemonPlace> {
  const run = join(directory, 'run');
  const log = join(directory, 'log');
  const db = join(directory, 'db');
  const etc = join(directory, 'etc');
  for (const path of [run, log, db, etc]) await mkdir(path);
  const environment = Object.fromEntries(
    ['OVS', 'OVN'].flatMap((product) => [
      [`${product}_RUNDIR`, run],
      [`${product}_LOGDIR`, log],
      [`${product}_DBDIR`, db],
      [`${product}_SYSCONFDIR`, etc],
    ]),
  );
  return { runDirectory: run, logDirectory: log, databaseDirectory: db, environment };
}
