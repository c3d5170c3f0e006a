/** How long the past of a resource can be read. The first two are promises as far as the others allow. */
export interface HistoryLimits {
  /** So many of the newest events of each resource are kept, and whatever their age while it has objects. */
  readonly minEvents: number;
  /** Events younger than this are kept as long as the bounds below allow. */
  readonly minAgeMs: number;
  readonly maxEvents: number;
  /** What the past may take in the file. This wins over the promises: the resource that takes most gives way. */
  readonly maxBytes: number;
  /** So many of the newest events keep their bytes in memory, as far as the next bound allows. */
  readonly eventsInMemory: number;
  readonly bytesInMemory: number;
}

export const DEFAULT_HISTORY_LIMITS: HistoryLimits = {
  minEvents: 1000,
  minAgeMs: 3_600_000,
  maxEvents: 20_000,
  maxBytes: 32 * 1024 * 1024,
  eventsInMemory: 1000,
  bytesInMemory: 8 * 1024 * 1024,
};
