import type { OutboxNotice } from './outbox-notice.ts';
import { OutboxPlace } from './outbox-place.ts';
import { Outbox } from './outbox.ts';

export interface OutboxOptions {
  /** A directory of its own; made if there is none. */
  readonly directory: string;
  /** Default 100,000. */
  readonly maxItems?: number | undefined;
  /** Default 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** What may be kept in memory while the disk cannot be written. Default 5,000. */
  readonly maxMemoryItems?: number | undefined;
  /** Default 8 MiB. */
  readonly maxMemoryBytes?: number | undefined;
  /** One item. Default 4 MiB and a little. */
  readonly maxItemBytes?: number | undefined;
  /** How often a disk that cannot be written is tried again. Default 1,000. */
  readonly retryMs?: number | undefined;
  readonly now: () => Date;
  readonly onNotice: (notice: OutboxNotice) => void;
}

const MEBIBYTE = 1_048_576;

/**
 * Opens an outbox and takes its lock. It opens on a full disk and with a damaged file too, and tells so; it fails only
 * when another process has it.
 */
export async function openOutbox(options: OutboxOptions): Promise<Outbox> {
  // Only who has a queue pays for it: loading SQLite takes memory and time.
  const sqlite = await import('node:sqlite');
  const { maxItems = 100_000, maxBytes = 64 * MEBIBYTE, maxMemoryItems = 5000 } = options;
  const { maxMemoryBytes = 8 * MEBIBYTE, maxItemBytes = 4 * MEBIBYTE + 4096, retryMs = 1000 } = options;
  return new Outbox(new OutboxPlace(options.directory, sqlite), {
    limits: { items: maxItems, bytes: maxBytes },
    memoryLimits: { items: maxMemoryItems, bytes: maxMemoryBytes },
    mostItemBytes: Math.min(maxItemBytes, maxBytes, maxMemoryBytes),
    retryMs,
    now: options.now,
    onNotice: options.onNotice,
  });
}
