import type { FieldError } from './field-error.ts';
import { invalid, tooLong } from './make-field-error.ts';

const MAX_BYTES = 128;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** What is wrong with the name under which somebody owns fields. */
export function validateFieldManager(name: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(name) > MAX_BYTES) errors.push(tooLong(path, MAX_BYTES));
  let position = 0;
  for (const character of name) {
    if (UNPRINTABLE.test(character)) errors.push(invalid(path, name, unprintable(character, position)));
    position += Buffer.byteLength(character);
  }
  return errors;
}

function unprintable(character: string, position: number): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `invalid character U+${code} (at position ${position})`;
}
