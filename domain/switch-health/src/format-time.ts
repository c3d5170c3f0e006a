/** A moment in RFC 3339, to the second. */
export function formatTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** What the clock on the wall says at the moment of the facts. */
export function wallTime({ at, wallAheadMs }: { readonly at: number; readonly wallAheadMs: number }): number {
  return at + wallAheadMs;
}
