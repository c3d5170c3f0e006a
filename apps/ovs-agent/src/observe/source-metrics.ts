/** What is counted about asking. */
export interface SourceMetrics {
  /** A source brought what it knows up to date. */
  observeRefresh(source: string, seconds: number): void;
  /** A question was not answered. */
  countFailure(source: string): void;
  /** A connection was made anew after one was lost. */
  countReconnect(to: string): void;
}
