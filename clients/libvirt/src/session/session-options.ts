import type { ConnectOptions } from '../connect-options.ts';
import type { BackOffOptions } from './back-off.ts';

/** How a session connects, how it comes back, and what happens to calls in between. */
export interface SessionOptions extends Omit<ConnectOptions, 'signal'> {
  readonly backOff?: BackOffOptions;
  /** Gives up for good after so many failures in a row. Default: never. */
  readonly maxAttempts?: number;
  /** A connection that held for so long counts as good, and failures are counted anew. Default 10,000. */
  readonly stableAfterMs?: number;
  /** What a call does while there is no connection: wait for the next one, or fail at once. Default: wait. */
  readonly whenDown?: 'wait' | 'fail';
  /** How long a call without a time limit of its own waits for a connection. Default 30,000. */
  readonly reconnectGraceMs?: number;
  /** More calls than this may not wait for a connection; a further one fails with `queue-full`. Default 1,000. */
  readonly maxWaitingCalls?: number;
  /** From 0 to 1; spreads the pauses. */
  readonly random?: () => number;
  readonly delay?: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly now?: () => Date;
}
