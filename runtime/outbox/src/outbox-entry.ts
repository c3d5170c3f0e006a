/** Why numbers have nothing behind them any more. */
export type OutboxGapReason = 'queue-full' | 'refused' | 'unsaved' | 'damaged';

/** Something that waits to be taken out. */
export interface OutboxItem {
  readonly kind: 'item';
  readonly sequence: number;
  readonly body: string;
  /** Whether it goes first when there is no room. */
  readonly isExpendable: boolean;
  /** Milliseconds since 1970. */
  readonly storedAt: number;
}

/** Stands in for all numbers from `firstSequence` to `sequence`. */
export interface OutboxGap {
  readonly kind: 'gap';
  readonly firstSequence: number;
  readonly sequence: number;
  readonly reason: OutboxGapReason;
  readonly storedAt: number;
}

export type OutboxEntry = OutboxItem | OutboxGap;

/** How much may be kept. Gaps do not count: there are never more of them than items. */
export interface OutboxLimits {
  readonly items: number;
  readonly bytes: number;
}

/** How much is kept. */
export interface OutboxTotals {
  readonly items: number;
  readonly bytes: number;
}

/** What one item takes beside its body, roughly. */
const OVERHEAD_BYTES = 64;

export function itemBytes(body: string): number {
  return Buffer.byteLength(body) + OVERHEAD_BYTES;
}

export function firstOf(entry: OutboxEntry): number {
  return entry.kind === 'gap' ? entry.firstSequence : entry.sequence;
}

export function isOver(totals: OutboxTotals, limits: OutboxLimits): boolean {
  return totals.items > limits.items || totals.bytes > limits.bytes;
}
