/** How long to wait and when to stop waiting. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Instead of the connection's `requestTimeoutMs`. */
  readonly timeoutMs?: number;
}

/** A persistent connection to a daemon's control socket. Once it fails it stays failed: open another. */
export interface Unixctl extends AsyncDisposable {
  readonly socket: string;
  /** True once the connection was lost, given up or closed. */
  readonly isClosed: boolean;
  /** Runs one command and gives its text. The daemon's own refusal is an OvsError `refused` with its words. */
  run(command: string, parameters?: readonly string[], options?: RequestOptions): Promise<string>;
}
