import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** How a launcher ended, for a runner that did not start it and so cannot know. */
interface Termination {
  readonly exitCode: number;
  readonly message: string;
}

export interface TerminationFile extends Disposable {
  write(termination: Termination): void;
}

/** Opens the file while the launcher still may; what is written into it replaces what an earlier launcher left. */
export function openTerminationFile(sandbox: string): TerminationFile {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const file = openSync(join(sandbox, 'termination.json'), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  return {
    write: (termination) => void writeSync(file, JSON.stringify(termination)),
    [Symbol.dispose]: () => closeSync(file),
  };
}
