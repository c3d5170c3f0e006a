import { virtLauncherCommand } from '@smalt/virt-launcher';

import { standardStream } from './standard-stream.ts';

/** Holds the place of one guest until that has ended. Returns the exit code; a wrong flag is thrown. */
export async function launcherCommand(words: readonly string[]): Promise<number> {
  return await virtLauncherCommand({ arguments: words, process, output: standardStream(1) });
}
