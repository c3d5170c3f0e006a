// libvirt escapes the same five characters in texts and in attributes, whichever quotes are around them.
const REFERENCES: ReadonlyMap<string, string> = new Map([
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['&', '&amp;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
  ['\t', '&#9;'],
  ['\n', '&#10;'],
  ['\r', '&#13;'],
]);

/** `value` as character data. */
export function escapeText(value: string): string {
  // A parser turns a bare carriage return into a line feed.
  return value.replace(/[<>&"'\r]/g, reference);
}

/** `value` as the inside of a quoted attribute. */
export function escapeAttribute(value: string): string {
  // A parser turns bare tabs and line ends of an attribute into spaces.
  return value.replace(/[<>&"'\t\n\r]/g, reference);
}

function reference(character: string): string {
  return REFERENCES.get(character) ?? character;
}
