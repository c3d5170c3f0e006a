import {
  firstOf,
  isOver,
  itemBytes,
  type OutboxEntry,
  type OutboxGap,
  type OutboxGapReason,
  type OutboxLimits,
  type OutboxTotals,
} from './outbox-entry.ts';

/** How much a row of entries takes. */
export function totalsOf(entries: readonly OutboxEntry[]): OutboxTotals {
  let [items, bytes] = [0, 0];
  for (const entry of entries) {
    if (entry.kind === 'gap') continue;
    items++;
    bytes += itemBytes(entry.body);
  }
  return { items, bytes };
}

/** The entries with as many of the oldest items replaced by gaps as it takes, the expendable ones first. */
export function withinLimits(entries: readonly OutboxEntry[], limits: OutboxLimits): readonly OutboxEntry[] {
  let { items, bytes } = totalsOf(entries);
  if (!isOver({ items, bytes }, limits)) return entries;
  const dropped = new Set<number>();
  for (const isExpendable of [true, false]) {
    for (const entry of entries) {
      if (!isOver({ items, bytes }, limits)) break;
      if (entry.kind === 'gap' || entry.isExpendable !== isExpendable) continue;
      dropped.add(entry.sequence);
      items--;
      bytes -= itemBytes(entry.body);
    }
  }
  return withGaps(entries, dropped, 'queue-full');
}

/** The entries with gaps in the place of some items; gaps that touch and have one reason become one. */
export function withGaps(
  entries: readonly OutboxEntry[],
  numbers: ReadonlySet<number>,
  reason: OutboxGapReason,
): readonly OutboxEntry[] {
  const result: OutboxEntry[] = [];
  for (const entry of entries) {
    const next = entry.kind === 'item' && numbers.has(entry.sequence) ? gapFor(entry, reason) : entry;
    const last = result.at(-1);
    if (last?.kind === 'gap' && next.kind === 'gap' && last.reason === next.reason) {
      result[result.length - 1] = { ...next, firstSequence: last.firstSequence };
    } else result.push(next);
  }
  return result;
}

/** The entries without the numbers up to this one; a gap that reaches beyond it begins later. */
export function withoutUpTo(entries: readonly OutboxEntry[], sequence: number): readonly OutboxEntry[] {
  return entries
    .filter((entry) => entry.sequence > sequence)
    .map((entry) =>
      entry.kind === 'gap' && entry.firstSequence <= sequence ? { ...entry, firstSequence: sequence + 1 } : entry,
    );
}

function gapFor(entry: OutboxEntry, reason: OutboxGapReason): OutboxGap {
  const { sequence, storedAt } = entry;
  return { kind: 'gap', firstSequence: firstOf(entry), sequence, reason, storedAt };
}
