import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { PodRunnerError } from '../pod-runner-error.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;

/**
 * Runs the launcher once for its help: what cannot be run is told before the first pod comes, and Node keeps what it has
 * compiled where it was told a place for that, so that no launcher has to do it again.
 */
export async function tryLauncher(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const [program = '', ...words] = command;
  try {
    const options = { env: { ...environment }, cwd: '/', signal, timeout: TIMEOUT_MS };
    await run(program, [...words, 'virt-launcher', '--help'], options);
  } catch (cause) {
    signal.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PodRunnerError('bad-setting', `smaltCommand: the launcher cannot be run: ${reason}`, { cause });
  }
}
