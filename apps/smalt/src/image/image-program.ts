import { stopSignal } from '../stop-signal.ts';
import type { ImageProgram } from './run-image-command.ts';

/** The process that `smalt image` runs in. */
export function imageProgram(): ImageProgram {
  const { stdout, stderr } = process;
  return {
    output: stdout,
    errors: { isTerminal: stderr.isTTY, write: (text) => stderr.write(text) },
    signal: stopSignal(process),
    now: () => new Date(),
  };
}
