/** How the node API is served, and how much it may cost. */
export interface NodeApiSettings {
  /** The address to listen on, such as `0.0.0.0:8186` or `[::]:8186`. */
  readonly listen: string;
  /** The host name or address that others reach it by; empty: the address of `listen`, or the first of this machine. */
  readonly advertise: string;
  /** A certificate and its key, read anew when they change; both empty: the handler makes its own in `stateDirectory`. */
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Who signed the certificate, where it is not one that everybody trusts. */
  readonly authorityFile: string;
  /** Where the handler keeps the key and certificate that it made. */
  readonly stateDirectory: string;
  /** Whom tokens have to be made for, `{node}` being this node; empty: the API server. */
  readonly audience: string;
  /** Whom tokens of callers of the version before are made for, which are taken as well; empty: none. */
  readonly formerAudience: string;
  /** Calls under way at a time, streams among them. */
  readonly mostCalls: number;
  readonly mostStreams: number;
  /** Those who are told of usage, and those who read logs: so many of each. */
  readonly mostReaders: number;
  /** Requests of one caller in a second; virt-api is one caller. */
  readonly requestsPerSecond: number;
  /** How long a call may take, and a stream to be opened. */
  readonly timeoutMs: number;
}

/** What is good for most nodes; the rest is up to the one who starts the handler. */
export const NODE_API_DEFAULTS: Omit<NodeApiSettings, 'listen' | 'stateDirectory'> = {
  advertise: '',
  certificateFile: '',
  keyFile: '',
  authorityFile: '',
  audience: '',
  formerAudience: '',
  mostCalls: 1_024,
  mostStreams: 512,
  mostReaders: 128,
  requestsPerSecond: 200,
  timeoutMs: 20_000,
};
