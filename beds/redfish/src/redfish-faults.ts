/** What is wrong with an endpoint. Nothing is, unless it is set. */
export interface RedfishFaults {
  /** How much longer each answer takes. */
  readonly delayMs?: number;
  /** Takes requests and never answers; `systems` lets log-ins through, as controllers whose host interface is stuck do. */
  readonly hangs?: 'all' | 'systems';
  /** What PowerState says, whatever is true. */
  readonly says?: string;
  /** Accepts a reset and does nothing. */
  readonly isIgnoringResets?: boolean;
  /** Answers everything after the log-in with this status. */
  readonly refusesWith?: number;
}
