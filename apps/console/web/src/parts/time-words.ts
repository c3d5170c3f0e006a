const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
const DAY = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;

/** The time of day in 24 hours, wherever the reader is: `17:04:09`. */
export function timeWords(at: string | number): string {
  return new Date(at).toLocaleTimeString([], TIME);
}

/** The day with it. */
export function momentWords(at: string | number): string {
  return new Date(at).toLocaleString([], { ...DAY, ...TIME });
}
