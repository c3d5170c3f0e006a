import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

const PRINTABLE_ASCII = /^[ !#-[\]-~]*$/;
const PRINTABLE = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', String.raw`\"`],
  ['\\', '\\\\'],
  ['\u0007', String.raw`\a`],
  ['\b', String.raw`\b`],
  ['\f', String.raw`\f`],
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\t', String.raw`\t`],
  ['\v', String.raw`\v`],
]);

/** Text in double quotes, escaped as Go's `%q` does; this is how Kubernetes shows text in messages. */
export function goQuote(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) quoted += ESCAPES.get(character) ?? escapeUnprintable(character);
  return `${quoted}"`;
}

function escapeUnprintable(character: string): string {
  if (PRINTABLE.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  // Half of a surrogate pair cannot be held in the bytes of Go's text; it is the replacement character there.
  if (code >= 0xd800 && code <= 0xdfff) return '\uFFFD';
  const hex = code.toString(16);
  if (code < 0x80) return String.raw`\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? String.raw`\u${hex.padStart(4, '0')}` : String.raw`\U${hex.padStart(8, '0')}`;
}

/** A number as Go's `%v` prints it: with an exponent below 1e-4 and from 1e21 on. */
export function goNumber(value: number | bigint): string {
  if (typeof value === 'bigint' || Number.isInteger(value)) return padExponent(String(value));
  const size = Math.abs(value);
  return padExponent(size < 1e-4 || size >= 1e21 ? value.toExponential() : String(value));
}

function padExponent(text: string): string {
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** JSON as Go prints a map: names in order, and `<`, `>` and `&` escaped. */
export function goJson(value: JsonValue): string {
  return printAsGo(value, (names) => names.toSorted(compareText));
}

/** JSON as Go prints a struct: the same, but its fields as they stand. */
export function goStructJson(value: JsonValue): string {
  return printAsGo(value, (names) => names);
}

type Arrange = (names: readonly string[]) => readonly string[];

function printAsGo(value: JsonValue, arrange: Arrange): string {
  if (typeof value === 'string') return goJsonText(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => printAsGo(item, arrange)).join(',')}]`;
  return isJsonObject(value) ? printObject(value, arrange) : 'null';
}

function printObject(object: JsonObject, arrange: Arrange): string {
  const fields = arrange(Object.keys(object)).map((name) => {
    return `${goJsonText(name)}:${printAsGo(object[name] ?? null, arrange)}`;
  });
  return `{${fields.join(',')}}`;
}

function goJsonText(text: string): string {
  return JSON.stringify(text).replaceAll(/[<>&\u2028\u2029]/g, (character) => {
    return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
