/** One value with what is said of it, whatever form it came in. */
export interface PullReading {
  /** A label, or a field. */
  readonly field: (name: string) => string | undefined;
  readonly value: number;
  /** When it was read, in milliseconds since 1970 by the clock of the endpoint, where that is told. */
  readonly timeMs: number | undefined;
}
