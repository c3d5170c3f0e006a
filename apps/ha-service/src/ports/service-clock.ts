/**
 * The service's own time in milliseconds: the wall clock at its start, and steady from then on, so it never jumps while the
 * service runs. What another run has noted may lie in the future: `adoptIncident` and the store know that.
 */
export interface ServiceClock {
  now(): number;
  /** The wall clock, where it can be told: if it moves against `now`, the machine slept or somebody set it. */
  wallNow?(): number;
  /** Resolves after a while; rejects with the signal's reason when it fires. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}
