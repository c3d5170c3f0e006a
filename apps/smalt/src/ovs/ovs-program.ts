import { once } from 'node:events';

import { stopSignal } from '../stop-signal.ts';
import type { OvsProgram } from './run-ovs-command.ts';

/** The process that `smalt ovs` runs in. */
export function ovsProgram(environment: Readonly<Record<string, string | undefined>>): OvsProgram {
  const { stdout } = process;
  return {
    environment,
    output: {
      isTerminal: stdout.isTTY,
      write: async (data) => {
        if (!stdout.write(data)) await once(stdout, 'drain');
      },
    },
    errors: process.stderr,
    signal: stopSignal(process),
    setExitCode: (code) => (process.exitCode = code),
  };
}
