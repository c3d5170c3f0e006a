import { once } from 'node:events';

import { stopSignal } from '../stop-signal.ts';

/** What commands need of the process that they run in. */
export interface CommandProgram {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly output: {
    readonly isTerminal: boolean;
    /** How wide and high the terminal is now; 80 by 24 where nobody knows. */
    readonly size: { readonly columns: number; readonly rows: number };
    /** Waits until the text was taken, so that a slow reader slows the sender down. */
    write(data: string): Promise<void>;
  };
  readonly errors: { readonly isTerminal: boolean; write(text: string): unknown };
  readonly signal: AbortSignal;
  readonly now: () => Date;
  setExitCode(code: number): void;
}

const USUAL_SIZE = { columns: 80, rows: 24 };

/** The process that this is. */
export function commandProgram(environment: Readonly<Record<string, string | undefined>>): CommandProgram {
  const { stdout, stderr } = process;
  return {
    environment,
    output: {
      isTerminal: stdout.isTTY,
      get size() {
        return stdout.isTTY ? { columns: stdout.columns, rows: stdout.rows } : USUAL_SIZE;
      },
      write: async (data) => {
        if (!stdout.write(data)) await once(stdout, 'drain');
      },
    },
    errors: { isTerminal: stderr.isTTY, write: (text) => stderr.write(text) },
    signal: stopSignal(process),
    now: () => new Date(),
    setExitCode: (code) => (process.exitCode = code),
  };
}
