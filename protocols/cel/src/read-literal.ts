import { CelUint } from './cel-value.ts';

const SIMPLE_ESCAPES: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
]);
const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;

/** The int that a literal writes, or undefined where an int64 cannot hold it. */
export function readInt(text: string, isNegative: boolean): bigint | undefined {
  const value = isNegative ? -BigInt(text) : BigInt(text);
  return value > MAX_INT || value < -MAX_INT - 1n ? undefined : value;
}

/** The uint that a literal writes, or undefined where a uint64 cannot hold it. */
export function readUint(text: string): CelUint | undefined {
  const value = BigInt(text.slice(0, -1));
  return value > MAX_UINT ? undefined : new CelUint(value);
}

/** The text inside a string token; undefined when an escape is not a character. */
export function readString(token: string): string | undefined {
  const { body, isRaw } = unquote(token);
  if (isRaw || !body.includes('\\')) return body;
  let isValid = true;
  const text = unescape(body, (code) => {
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      isValid = false;
      return '';
    }
    return String.fromCodePoint(code);
  });
  return isValid ? text : undefined;
}

/** The bytes inside a bytes token; undefined when it holds an escape that only strings may have. */
export function readBytes(token: string): Uint8Array | undefined {
  const { body, isRaw } = unquote(token);
  if (isRaw || !body.includes('\\')) return Buffer.from(body, 'utf8');
  if (/(?<!\\)(?:\\\\)*\\[uU]/.test(body)) return undefined;
  const parts: Uint8Array[] = [];
  let start = 0;
  for (const match of body.matchAll(ESCAPES)) {
    parts.push(Buffer.from(body.slice(start, match.index), 'utf8'), Uint8Array.of(codeOf(match[0])));
    start = match.index + match[0].length;
  }
  parts.push(Buffer.from(body.slice(start), 'utf8'));
  return Buffer.concat(parts);
}

const ESCAPES = /\\(?:[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2}|.)/gs;

function unescape(body: string, toText: (code: number) => string): string {
  return body.replace(ESCAPES, (escape) => toText(codeOf(escape)));
}

function codeOf(escape: string): number {
  const letter = escape[1] ?? '';
  if (/[xXuU]/.test(letter)) return Number.parseInt(escape.slice(2), 16);
  if (/[0-3]/.test(letter)) return Number.parseInt(escape.slice(1), 8);
  return SIMPLE_ESCAPES.get(letter) ?? letter.codePointAt(0) ?? 0;
}

function unquote(token: string): { readonly body: string; readonly isRaw: boolean } {
  const opening = /^([a-zA-Z]*)("""|'''|"|')/.exec(token);
  const [all = '', prefix = '', quote = ''] = opening ?? [];
  const body = token.slice(all.length, token.length - quote.length);
  // A carriage return before a line feed is the file's, not the author's.
  const text = quote.length === 3 ? body.replaceAll('\r\n', '\n') : body;
  return { body: text, isRaw: /r/i.test(prefix) };
}
