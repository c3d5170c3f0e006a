import type { TelemetryBatch } from '@smalt/ha-telemetry';
import type { OutboxEntry } from '@smalt/outbox';

/** Who sends, and what the numbers belong to. */
export type BatchHead = Pick<TelemetryBatch, 'node' | 'epoch' | 'agent'>;

/**
 * The JSON of a batch. What waits in the queue is the JSON of a record without its number; it is not parsed again.
 * Entries are consecutive, and there is at least one.
 */
export function batchJson(head: BatchHead, entries: readonly OutboxEntry[]): string {
  const [first] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined) throw new TypeError('a batch has at least one record');
  const outer = {
    version: 1,
    ...head,
    firstSequence: first.kind === 'gap' ? first.firstSequence : first.sequence,
    lastSequence: last.sequence,
  };
  return `${JSON.stringify(outer).slice(0, -1)},"records":[${entries.map(recordJson).join(',')}]}`;
}

function recordJson(entry: OutboxEntry): string {
  const { sequence } = entry;
  if (entry.kind === 'item') return `{"sequence":${sequence},${entry.body.slice(1)}`;
  const { firstSequence, reason, storedAt } = entry;
  return JSON.stringify({ sequence, kind: 'gap', firstSequence, reason, time: new Date(storedAt).toISOString() });
}
