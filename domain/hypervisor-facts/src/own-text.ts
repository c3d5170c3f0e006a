const LONGEST = 200;

/**
 * A copy of a text, cut if it is very long. A piece that was cut out of a document keeps the whole document in memory
 * for as long as it lives; a copy does not.
 */
export function ownText(text: string | undefined = ''): string {
  return Buffer.from(text.trim().slice(0, LONGEST)).toString();
}
