import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { findProcess, launcherLogFile, type SandboxProcess } from '@smalt/pod-sandbox';

import { describeExit, parseTermination, type Exit } from '../pods/exit.ts';

/** A message in a status is no longer than this, and no longer than so many lines. */
const MOST_BYTES = 2_048;
const MOST_LINES = 80;

export interface EndedLauncher {
  readonly directory: string;
  readonly launcher: SandboxProcess | undefined;
  /** Known to the runner that started it alone. */
  readonly exitCode: number | undefined;
}

/** How the launcher of a pod has ended, by what it has left in its directory. */
export async function readExit({ directory, launcher, exitCode }: EndedLauncher): Promise<Exit> {
  const [termination, lastWords] = await Promise.all([
    readEnd(join(directory, 'termination.json')),
    readEnd(launcherLogFile(directory)),
  ]);
  const own = await findProcess(process.pid);
  return describeExit({
    termination: parseTermination(termination),
    exitCode,
    isOtherBoot: launcher?.bootId !== undefined && launcher.bootId !== own?.bootId,
    lastWords: lastWords.trimEnd().split('\n').slice(-MOST_LINES).join('\n'),
  });
}

/** The end of a file; nothing when it is missing. */
async function readEnd(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return '';
  await using opened = file;
  const { size } = await opened.stat();
  const position = Math.max(0, size - MOST_BYTES);
  const { buffer, bytesRead } = await opened.read({ buffer: Buffer.alloc(size - position), position });
  return buffer.toString('utf8', 0, bytesRead);
}
