const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;
const MASK = 0xffff_ffff_ffff_ffffn;

/**
 * A short text that is the same for values that are the same, in whatever order their fields stand. FNV-1a: no secret depends on
 * it, and who makes two templates alike on purpose only keeps their own machines from being restarted.
 */
export function fingerprint(value: unknown): string {
  let hash = OFFSET;
  for (const byte of new TextEncoder().encode(inOrder(value))) hash = ((hash ^ BigInt(byte)) * PRIME) & MASK;
  return hash.toString(16).padStart(16, '0');
}

/** JSON with the fields of objects in the order of their names; what is not set is not there. */
function inOrder(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOrder).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${inOrder(field)}`).join(',')}}`;
}
