/** Time in milliseconds that never goes back. */
export interface CallersClock {
  now(): number;
}
