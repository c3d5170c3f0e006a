import type { CelValue } from './cel-value.ts';
import { readBytes, readInt, readString, readUint } from './read-literal.ts';
import { KEYWORDS, type Token } from './tokenize.ts';

/** A literal: its value, how many tokens it takes, and what is wrong with it if something is. */
export interface ParsedLiteral {
  readonly value: CelValue;
  readonly length: number;
  readonly problem?: string;
}

/** Reads the literal that starts with a token; a sign before a number belongs to it. */
export function readLiteral(token: Token, next: Token | undefined): ParsedLiteral | undefined {
  if (token.kind === 'symbol') {
    return token.text === '-' && next !== undefined && isNumber(next)
      ? { ...readNumber(next, true), length: 2 }
      : undefined;
  }
  if (isNumber(token)) return readNumber(token, false);
  if (token.kind === 'string') return orProblem(readString(token.text), 'invalid unicode code point');
  if (token.kind === 'bytes') return orProblem(readBytes(token.text), 'invalid bytes literal');
  if (token.kind !== 'ident' || !KEYWORDS.has(token.text) || token.text === 'in') return undefined;
  return { value: token.text === 'null' ? null : token.text === 'true', length: 1 };
}

export function isNumber(token: Token | undefined): boolean {
  return token?.kind === 'int' || token?.kind === 'uint' || token?.kind === 'double';
}

function readNumber(token: Token, isNegative: boolean): ParsedLiteral {
  if (token.kind === 'double') {
    const value = Number(token.text) * (isNegative ? -1 : 1);
    return orProblem(Number.isFinite(value) ? value : undefined, 'invalid double literal');
  }
  if (token.kind === 'uint') return orProblem(isNegative ? undefined : readUint(token.text), 'invalid uint literal');
  return orProblem(readInt(token.text, isNegative), 'invalid int literal');
}

function orProblem(value: CelValue | undefined, problem: string): ParsedLiteral {
  return value === undefined ? { value: null, length: 1, problem } : { value, length: 1 };
}
