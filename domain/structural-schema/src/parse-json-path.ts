import { readJsonPathBrackets, readJsonPathFilter } from './json-path-brackets.ts';
import type { JsonPathNode, JsonPathStep } from './json-path-node.ts';
import { unquoteJsonPath } from './json-path-quotes.ts';
import { StructuralSchemaError } from './structural-schema-error.ts';

const TERMINATOR = /[\s.,[\]$@{}]/;
const WORD = /[\p{L}\p{Nd}_]/u;
const DIGIT = /\d/;

/** Reads the text between the braces of a JSONPath template, as `kubectl` and printer columns write it. */
export function parseJsonPath(text: string): readonly JsonPathNode[] {
  const nodes: JsonPathNode[] = [];
  let position = 0;
  while (position < text.length) {
    const step = readStep(text, position, nodes.at(-1));
    nodes.push(...step.nodes);
    position = step.end;
  }
  return nodes;
}

function readStep(text: string, position: number, previous: JsonPathNode | undefined): JsonPathStep {
  if (text.startsWith('[?(', position)) return readJsonPathFilter(text, position, parseJsonPath);
  if (text.startsWith('..', position)) return readRecursive(text, position, previous);
  const character = text[position] ?? '';
  if (character === ' ' || character === '@' || character === '$') return { nodes: [], end: position + 1 };
  if (character === '[') return readJsonPathBrackets(text, position, parseJsonPath);
  if (character === '"' || character === "'") return readQuote(text, position, character);
  if (character === '.') return readField(text, position + 1);
  if (character === '+' || character === '-' || DIGIT.test(character)) return readNumber(text, position);
  if (WORD.test(character)) return readIdentifier(text, position);
  if (character === '\n' || character === '\r') throw problem('unclosed action');
  throw problem(`unrecognized character in action: ${shownCharacter(character)}`);
}

function readRecursive(text: string, position: number, previous: JsonPathNode | undefined): JsonPathStep {
  if (previous?.kind === 'recursive') throw problem('invalid multiple recursive descent');
  const start = position + 2;
  if (!WORD.test(text[start] ?? '')) return { nodes: [{ kind: 'recursive' }], end: start };
  const { nodes, end } = readField(text, start);
  return { nodes: [{ kind: 'recursive' }, ...nodes], end };
}

function readField(text: string, start: number): JsonPathStep {
  let end = start;
  while (end < text.length && !TERMINATOR.test(text[end] ?? '')) end += text[end] === '\\' ? 2 : 1;
  end = Math.min(end, text.length);
  const name = text.slice(start, end);
  const node: JsonPathNode = name === '*' ? { kind: 'wildcard' } : { kind: 'field', name: name.replaceAll('\\', '') };
  return { nodes: [node], end };
}

function readNumber(text: string, start: number): JsonPathStep {
  const [number = ''] = /^[+-]?[\d.]*/.exec(text.slice(start)) ?? [];
  const value = Number(number);
  if (number === '' || Number.isNaN(value)) throw problem(`cannot parse number ${number}`);
  return { nodes: [{ kind: 'literal', value }], end: start + number.length };
}

function readIdentifier(text: string, start: number): JsonPathStep {
  let end = start;
  while (end < text.length && !TERMINATOR.test(text[end] ?? '')) end++;
  const name = text.slice(start, end);
  const isBoolean = name === 'true' || name === 'false';
  const node: JsonPathNode = isBoolean ? { kind: 'literal', value: name === 'true' } : { kind: 'identifier', name };
  return { nodes: [node], end };
}

function readQuote(text: string, start: number, quote: string): JsonPathStep {
  let end = start + 1;
  while (end < text.length && (text[end] !== quote || text[end - 1] === '\\')) end++;
  if (end >= text.length) throw problem('unterminated quoted string');
  return { nodes: [{ kind: 'literal', value: unquoteJsonPath(text.slice(start, end + 1)) }], end: end + 1 };
}

function shownCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `U+${code} '${character}'`;
}

function problem(message: string): StructuralSchemaError {
  return new StructuralSchemaError('invalid-json-path', message);
}
