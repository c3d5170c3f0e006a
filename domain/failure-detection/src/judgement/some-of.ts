export const MOST_NAMES = 10;

/** The first names of so many, so that a sentence stays one when a whole fleet is gone. */
export function someOf(names: readonly string[], count: number = names.length): string {
  const first = names.slice(0, MOST_NAMES).join(', ');
  return count > MOST_NAMES ? `${first} and ${count - MOST_NAMES} more` : first;
}
