/** How long the past of a resource can be read. The first two are promises, the last two bound what they cost. */
export interface HistoryLimits {
  /** So many of the newest events of each resource are always kept. */
  readonly minEvents: number;
  /** Events younger than this are kept as long as the bounds below allow. */
  readonly minAgeMs: number;
  readonly maxEvents: number;
  readonly maxBytes: number;
  /** So many of the newest events keep their bytes in memory. */
  readonly eventsInMemory: number;
}

export const DEFAULT_HISTORY_LIMITS: HistoryLimits = {
  minEvents: 1000,
  minAgeMs: 3_600_000,
  maxEvents: 20_000,
  maxBytes: 32 * 1024 * 1024,
  eventsInMemory: 1000,
};
