const PAIRS = /^[\da-f]{2}([:-])(?:[\da-f]{2}\1){4}[\da-f]{2}$/iu;
const WORDS = /^[\da-f]{4}(?:\.[\da-f]{4}){2}$/iu;

/**
 * The one way in which the hardware address of a network card is compared and passed on, `02:42:ac:11:00:02`, of whichever
 * way an instance has it in: with colons, dashes or dots, as Go's `net.ParseMAC` takes them. Undefined for any other text.
 */
export function canonicalMac(text: string): string | undefined {
  if (!PAIRS.test(text) && !WORDS.test(text)) return undefined;
  const digits = text.replaceAll(/[.:-]/gu, '').toLowerCase();
  return digits.match(/../gu)?.join(':');
}
