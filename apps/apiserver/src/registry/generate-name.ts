const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const MAX_LENGTH = 63;

/** A name that starts with the prefix and ends in five random characters. Vowels are left out: they could make words. */
export function generateName(prefix: string, randomInt: (below: number) => number): string {
  let name = prefix.slice(0, MAX_LENGTH - SUFFIX_LENGTH);
  for (let count = 0; count < SUFFIX_LENGTH; count++) name += ALPHABET[randomInt(ALPHABET.length)] ?? '';
  return name;
}
