/** How the troubleshooting API is served, and how much it may cost. */
export interface TroubleshootingSettings {
  /** The address to listen on, such as `0.0.0.0:9443` or `[::]:9443`. */
  readonly listen: string;
  /** The host name or address that others reach it by; empty: the address of `listen`, or the first of this machine. */
  readonly advertise: string;
  /** A certificate and its key, read anew when they change; both empty: the agent makes its own in `stateDirectory`. */
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Who signed the certificate, where it is not one that everybody trusts. */
  readonly authorityFile: string;
  /** Where the agent keeps the key and certificate that it made. */
  readonly stateDirectory: string;
  /** Whom tokens have to be made for; empty: the API server. */
  readonly audience: string;
  /** How to run tcpdump and ip: the program and words in front of ours. */
  readonly tcpdump: readonly string[];
  readonly ip: readonly string[];
  readonly mostCaptures: number;
  readonly mostCaptureSeconds: number;
  readonly mostCaptureBytes: number;
  /** Calls under way at a time. */
  readonly mostCalls: number;
  /** Requests of one caller in a second; of one address it may be twice as many. */
  readonly requestsPerSecond: number;
  /** How long a call may take that is no capture. */
  readonly timeoutMs: number;
}

/** What is good for most nodes; the rest is up to the one who starts the agent. */
export const TROUBLESHOOTING_DEFAULTS: Omit<TroubleshootingSettings, 'listen' | 'stateDirectory'> = {
  advertise: '',
  certificateFile: '',
  keyFile: '',
  authorityFile: '',
  audience: '',
  tcpdump: ['tcpdump'],
  ip: ['ip'],
  mostCaptures: 4,
  mostCaptureSeconds: 300,
  mostCaptureBytes: 256 * 1_024 * 1_024,
  mostCalls: 16,
  requestsPerSecond: 10,
  timeoutMs: 30_000,
};
