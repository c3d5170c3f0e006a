import type { IssueList } from './issue-list.ts';

export interface Token {
  readonly kind: 'ident' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'symbol' | 'end';
  readonly text: string;
  readonly offset: number;
}

/** Words that look like names and are none. */
export const KEYWORDS: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

const SKIPPED = /(?:[\t\n\f\r ]+|\/\/[^\n]*)+/y;
const IDENT = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER =
  /(?:0x[0-9a-fA-F]+|(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+))[uU]?/y;
const QUOTED = /(?:[rR][bB]?|[bB][rR]?)?(?:"""|'''|"|')/y;
const SYMBOL = /&&|\|\||==|!=|<=|>=|[-+*/%!?:.,()[\]{}<>]/y;
const ESCAPE = String.raw`\\(?:[abfnrtv"'\\?\x60]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})`;

/** Cuts the text of an expression into tokens; what is none is noted and left out. */
export function tokenize(source: string, issues: IssueList): readonly Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  while (offset < source.length) {
    const skipped = matchAt(SKIPPED, source, offset);
    offset += skipped?.length ?? 0;
    if (offset >= source.length) break;
    const token = readToken(source, offset);
    if (token === undefined) {
      const character = String.fromCodePoint(source.codePointAt(offset) ?? 0);
      issues.add(offset, `Syntax error: token recognition error at: '${brokenText(source, offset, character)}'`);
      offset += character.length;
      continue;
    }
    tokens.push(token);
    offset += token.text.length;
  }
  tokens.push({ kind: 'end', text: '<EOF>', offset: source.length });
  return tokens;
}

function readToken(source: string, offset: number): Token | undefined {
  const quoted = readQuoted(source, offset);
  if (quoted !== undefined) return quoted;
  if (matchAt(QUOTED, source, offset) !== undefined && !/[A-Za-z]/.test(source[offset] ?? '')) return undefined;
  const ident = matchAt(IDENT, source, offset);
  if (ident !== undefined) return { kind: 'ident', text: ident, offset };
  const number = matchAt(NUMBER, source, offset);
  if (number !== undefined) return numberToken(number, offset);
  const symbol = matchAt(SYMBOL, source, offset);
  return symbol === undefined ? undefined : { kind: 'symbol', text: symbol, offset };
}

function numberToken(text: string, offset: number): Token {
  const isHex = text.startsWith('0x');
  const isDouble = !isHex && /[.eE]/.test(text);
  // A double has no unsigned form: the u then starts the next token.
  if (isDouble) return { kind: 'double', text: text.replace(/[uU]$/, ''), offset };
  return { kind: /[uU]$/.test(text) ? 'uint' : 'int', text, offset };
}

function readQuoted(source: string, offset: number): Token | undefined {
  const opening = matchAt(QUOTED, source, offset);
  if (opening === undefined) return undefined;
  const prefix = opening.replace(/["']+$/, '').toLowerCase();
  // Two quotes of the same kind are an empty string unless a third one follows.
  const quote = opening.slice(prefix.length);
  const end = endOfQuoted(source, offset + opening.length, quote, prefix.includes('r'));
  if (end === undefined) return undefined;
  return { kind: prefix.includes('b') ? 'bytes' : 'string', text: source.slice(offset, end), offset };
}

function endOfQuoted(source: string, start: number, quote: string, isRaw: boolean): number | undefined {
  const escape = new RegExp(ESCAPE, 'y');
  let position = start;
  while (position < source.length) {
    if (source.startsWith(quote, position)) return position + quote.length;
    const character = source[position];
    if (character === '\\' && !isRaw) {
      const escaped = matchAt(escape, source, position);
      if (escaped === undefined) return undefined;
      position += escaped.length;
      continue;
    }
    if (quote.length === 1 && (character === '\n' || character === '\r')) return undefined;
    position++;
  }
  return undefined;
}

function brokenText(source: string, offset: number, character: string): string {
  if (!/["']/.test(character)) return character;
  const rest = source.slice(offset);
  return rest.includes('\n') ? rest.slice(0, rest.indexOf('\n')) : rest;
}

function matchAt(pattern: RegExp, text: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0];
}
