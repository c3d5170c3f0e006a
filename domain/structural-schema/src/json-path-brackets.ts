import type { JsonPathNode, JsonPathStep } from './json-path-node.ts';
import { StructuralSchemaError } from './structural-schema-error.ts';

type Parse = (text: string) => readonly JsonPathNode[];

const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const COMPARISON = /^([^!<>=]+)([!<>=]+)(.+?)$/s;

/** Reads `[0]`, `[1:3]`, `['name']`, `[*]` or several of them with commas. */
export function readJsonPathBrackets(text: string, start: number, parse: Parse): JsonPathStep {
  const close = text.indexOf(']', start);
  const inside = text.slice(start + 1, close);
  if (close < 0 || inside.includes('\n')) throw problem('unterminated array');
  return { nodes: parseInside(inside === '*' ? ':' : inside, parse), end: close + 1 };
}

/** Reads `[?(@.type=="Ready")]` and the like. */
export function readJsonPathFilter(text: string, start: number, parse: Parse): JsonPathStep {
  const close = findFilterEnd(text, start + 3);
  if (text[close + 1] !== ']') throw problem('unclosed array expect ]');
  const inside = text.slice(start + 3, close);
  const match = COMPARISON.exec(inside);
  if (match === null) return { nodes: [{ kind: 'exists', left: parse(inside) }], end: close + 2 };
  const [, left = '', operator = '', right = ''] = match;
  return { nodes: [{ kind: 'filter', left: parse(left), operator, right: parse(right) }], end: close + 2 };
}

function findFilterEnd(text: string, start: number): number {
  let quote = '';
  let isClosed = false;
  for (let position = start; position < text.length; position++) {
    const character = text[position] ?? '';
    if (character === '\n') break;
    if (character === '"' || character === "'") {
      if (quote === '') quote = character;
      else if (character === quote && text[position - 1] !== '\\') isClosed = true;
    } else if (character === ')' && (quote === '') !== isClosed) {
      return position;
    }
  }
  throw problem('unterminated filter');
}

function parseInside(text: string, parse: Parse): readonly JsonPathNode[] {
  const parts = text.split(',');
  if (parts.length > 1) return [{ kind: 'union', paths: parts.map((part) => parse(`[${part.trim()}]`)) }];
  const key = /^'([^']*)'$/.exec(text)?.[1];
  if (key !== undefined) return parse(`.${key}`);
  const match = SLICE.exec(text);
  if (match === null) throw problem(`invalid array index ${text}`);
  return [sliceNode(match)];
}

function sliceNode(match: RegExpExecArray): JsonPathNode {
  const [, start = '', end, step] = match;
  if (end === undefined && step === undefined) return { kind: 'item', index: readIndex(start) ?? 0 };
  const node: { start?: number; end?: number; step?: number } = {};
  const [first, last, every] = [readIndex(start), readIndex(end?.slice(1)), readIndex(step?.slice(1))];
  if (first !== undefined) node.start = first;
  if (last !== undefined) node.end = last;
  if (every !== undefined) node.step = every;
  return { kind: 'slice', ...node };
}

function readIndex(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (text === '-') throw problem(`array index ${text} is not a number`);
  return Number(text);
}

function problem(message: string): StructuralSchemaError {
  return new StructuralSchemaError('invalid-json-path', message);
}
