const MAX_LENGTH_BYTES = 128;

/** The name of the manager of a write: what the request says, or else the program that its user agent names. */
export function managerOf(fieldManager: string | undefined, userAgent: string | undefined): string {
  if (fieldManager !== undefined && fieldManager !== '') return fieldManager;
  let name = '';
  let length = 0;
  for (const character of (userAgent ?? '').split('/')[0] ?? '') {
    if (!isPrintable(character)) continue;
    length += Buffer.byteLength(character);
    if (length > MAX_LENGTH_BYTES) break;
    name += character;
  }
  return name;
}

// What Go calls printable: letters, marks, numbers, punctuation, symbols, and the plain space.
function isPrintable(character: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character);
}
