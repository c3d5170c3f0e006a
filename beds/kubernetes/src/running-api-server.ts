import type { ServerProcess } from './server-process.ts';

/** A running API server of the bed and how to reach it. */
export interface RunningApiServer extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly authority: Buffer;
  /** The processes that make it up, for accounting. */
  readonly processes: readonly ServerProcess[];
  /** From the start of the first process to the first answer of /readyz with 200. */
  readonly startMs: number;
}
