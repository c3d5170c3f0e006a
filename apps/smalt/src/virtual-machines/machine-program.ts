import { once } from 'node:events';

import { stopSignal } from '../stop-signal.ts';
import type { MachineProgram } from './run-console.ts';

/** The process that `smalt console` and `smalt vnc` run in. */
export function machineProgram(environment: Readonly<Record<string, string | undefined>>): MachineProgram {
  const { stdin, stdout } = process;
  return {
    environment,
    input: {
      isTerminal: stdin.isTTY,
      bytes: stdin.iterator({ destroyOnReturn: false }),
      setRaw: (isRaw) => {
        if (stdin.isTTY) stdin.setRawMode(isRaw);
        // What is not read any more must not keep the process.
        if (!isRaw) stdin.pause().unref();
      },
    },
    output: {
      write: async (data) => {
        if (!stdout.write(data)) await once(stdout, 'drain');
      },
    },
    errors: process.stderr,
    signal: stopSignal(process),
    setExitCode: (code) => (process.exitCode = code),
  };
}
