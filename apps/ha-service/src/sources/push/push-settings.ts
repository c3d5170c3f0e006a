/** Who may push telemetry, and how much of it. */
export interface PushSettings {
  /** Who signs the certificates of agents, in PEM; empty: certificates do not count. Never who signs those of persons. */
  readonly authorityFile: string;
  /** SHA-256 of certificates that do not count any more, such as that of a stolen key; small hexadecimal digits. */
  readonly refusedCertificates: readonly string[];
  /** A list of nodes and the SHA-256 of their tokens; empty for none. */
  readonly tokensFile: string;
  /**
   * Agents that show a token of their pod, as `namespace:serviceaccount`. The Kubernetes API is asked which node it is bound
   * to; empty: such tokens do not count. Any pod with such an account speaks for its node.
   */
  readonly serviceAccounts: readonly string[];
  /** Batches that one node may send in a second. */
  readonly requestsPerSecond: number;
  /** Batches that all of them together may send in a second. */
  readonly requestsPerSecondInAll: number;
  /** Batches that wait for the store at a time; more are sent away for a moment. */
  readonly mostWaiting: number;
}

export const defaultPushSettings: PushSettings = {
  authorityFile: '',
  refusedCertificates: [],
  tokensFile: '',
  serviceAccounts: [],
  requestsPerSecond: 20,
  requestsPerSecondInAll: 20_000,
  mostWaiting: 5_000,
};
