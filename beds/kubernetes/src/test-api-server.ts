import type { RunningApiServer } from './running-api-server.ts';

/** An API server that tests talk to, whichever it is. */
export interface TestApiServer extends RunningApiServer {
  /** Where its files are; `audit.log` is among them. */
  readonly directory: string;
  /** How the administrator reaches it. */
  readonly kubeconfig: string;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same data and the same port; returns how long that took. */
  restart(signal: AbortSignal): Promise<number>;
  /** Has its storage forget all but what is now, where that can be told so: etcd can. */
  compact?(signal: AbortSignal): Promise<void>;
}
