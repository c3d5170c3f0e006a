import { StructuralSchemaError } from './structural-schema-error.ts';

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
]);
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.?))/gsu;

/** What a text in single or double quotes stands for, its escapes read as Go reads them. */
export function unquoteJsonPath(quoted: string): string {
  const quote = quoted[0] ?? '';
  const text = quoted.slice(1, -1);
  if (!text.includes('\\')) return text;
  return text.replaceAll(ESCAPE, (escape: string, ...groups: (string | undefined)[]) => {
    const [byte, short, long, octal, letter = ''] = groups;
    const code = byte ?? short ?? long;
    if (code !== undefined) return characterOf(Number.parseInt(code, 16), escape, quoted);
    if (octal !== undefined) return characterOf(Number.parseInt(octal, 8), escape, quoted);
    const simple = letter === quote ? quote : SIMPLE.get(letter);
    if (simple === undefined) throw invalidSyntax(quoted);
    return simple;
  });
}

function characterOf(code: number, escape: string, quoted: string): string {
  const isByte = !escape.startsWith('\\u') && !escape.startsWith('\\U');
  if (code > 0x10ffff || (isByte && code > 0xff)) throw invalidSyntax(quoted);
  return String.fromCodePoint(code);
}

function invalidSyntax(quoted: string): StructuralSchemaError {
  return new StructuralSchemaError('invalid-json-path', `unquote string ${quoted} error invalid syntax`);
}
