// XML 1.0 (5th edition), production 2. A lone surrogate is outside of every range when the `u` flag is set.
const INVALID_CHARACTER = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

const NAME_START =
  ':A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F' +
  '\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const NAME = new RegExp(`^[${NAME_START}][${NAME_START}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F-\\u2040]*$`, 'u');

/** The offset of the first character that no XML document may hold, or -1. */
export function findInvalidCharacter(text: string): number {
  return text.search(INVALID_CHARACTER);
}

/** Whether `name` may name an element, an attribute or an instruction. */
export function isXmlName(name: string): boolean {
  return NAME.test(name);
}

/** Whether `text` is empty or nothing but XML whitespace. */
export function isXmlWhitespace(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

/** A character as people look it up: `U+0000`. */
export function codePointName(text: string, offset: number): string {
  return `U+${(text.codePointAt(offset) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
