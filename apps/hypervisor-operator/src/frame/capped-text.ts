/** As much as a person reads; the API refuses a condition whose message has more than 32,768 characters. */
const LONGEST_BYTES = 4096;
const ELLIPSIS = '…';
const MOST_BYTES_PER_UNIT = 3;

/** The text, cut between two characters where it is longer than any status should be. */
export function cappedText(text: string): string {
  if (text.length * MOST_BYTES_PER_UNIT <= LONGEST_BYTES || Buffer.byteLength(text) <= LONGEST_BYTES) return text;
  const kept = new Uint8Array(LONGEST_BYTES - Buffer.byteLength(ELLIPSIS));
  const { read } = new TextEncoder().encodeInto(text, kept);
  return `${text.slice(0, read)}${ELLIPSIS}`;
}

/** The same value with every text in it capped. What is short enough is handed back as it is. */
export function withCappedTexts<T>(value: T): T;
export function withCappedTexts(value: unknown): unknown {
  if (typeof value === 'string') return cappedText(value);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => withCappedTexts(item));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const before = Object.entries(value);
  const entries = before.map(([name, field]) => [name, withCappedTexts<unknown>(field)] as const);
  return entries.every(([, field], at) => field === before[at]?.[1]) ? value : Object.fromEntries(entries);
}
