import type { Logger } from '@smalt/service-runtime';

/** How a server is to run. */
export interface ApiServerOptions {
  /** Holds the store, the keys and the kubeconfig; made when it is not there. Only one server at a time may use it. */
  readonly dataDirectory: string;
  readonly listen: {
    /** Loopback unless the server is to be reached from other machines. */
    readonly host: string;
    /** 0 takes any that is free. */
    readonly port: number;
  };
  /** Further names and addresses under which clients reach the server. */
  readonly names?: readonly string[];
  readonly log: Logger;
  readonly limits?: Partial<ServerLimits>;
}

export interface ServerLimits {
  /**
   * Requests that are worked on at a time, watches left out; what comes on top is told to try again. One user who is
   * not in `system:masters` may have half of them.
   */
  readonly maxInFlight: number;
  readonly requestTimeoutMs: number;
  /** How long requests may take to finish when the server stops. */
  readonly stopTimeoutMs: number;
}

export const DEFAULT_LIMITS: ServerLimits = { maxInFlight: 600, requestTimeoutMs: 60_000, stopTimeoutMs: 5_000 };
