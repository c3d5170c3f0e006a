import type { Schema } from '@smalt/resource';

import { childPath } from './field-path.ts';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ["'", "'"],
  ['\\', '\\'],
]);

/** The field a path leads to in a schema, or why it leads nowhere. */
export type FoundField =
  | { readonly kind: 'found'; readonly path: string; readonly names: readonly string[]; readonly schema: Schema }
  | { readonly kind: 'problem'; readonly problem: string };

class PathProblem extends Error {}

/**
 * Follows a path such as `.spec.tags['a.b']` through a schema, as the `fieldPath` of rules and selectable fields do.
 * The latter may not use brackets.
 */
export function findSchemaField(path: string, root: Schema, options: { readonly allowsBrackets: boolean }): FoundField {
  try {
    return follow(tokenize(path), root, options.allowsBrackets);
  } catch (error) {
    if (error instanceof PathProblem) return { kind: 'problem', problem: error.message };
    throw error;
  }
}

function follow(tokens: readonly string[], root: Schema, allowsBrackets: boolean): FoundField {
  let schema = root;
  let path = '';
  const names: string[] = [];
  for (let index = 0; index < tokens.length;) {
    const step = readStep(tokens, index, allowsBrackets);
    const isNamed = schema.properties !== undefined;
    path = isNamed ? childPath(path, step.name) : `${path}[${step.name}]`;
    schema = fieldOf(schema, step.name);
    names.push(step.name);
    index = step.end;
  }
  return { kind: 'found', path, names, schema };
}

function readStep(tokens: readonly string[], index: number, allowsBrackets: boolean): { name: string; end: number } {
  const token = tokens[index] ?? '';
  if (token === '.') return { name: tokenAt(tokens, index + 1), end: index + 2 };
  if (token !== '[') throw new PathProblem(`expected [ or . but got: ${token}`);
  if (!allowsBrackets) throw new PathProblem('array notation is not allowed');
  const quoted = tokenAt(tokens, index + 1);
  if (quoted.length < 2 || !quoted.startsWith("'") || !quoted.endsWith("'")) {
    throw new PathProblem(`expected single quoted string but got ${quoted}`);
  }
  const close = tokenAt(tokens, index + 2);
  if (close !== ']') throw new PathProblem(`expected ] but got ${close}`);
  return { name: unescapeName(quoted.slice(1, -1)), end: index + 3 };
}

function tokenAt(tokens: readonly string[], index: number): string {
  const token = tokens[index];
  if (token === undefined) throw new PathProblem('unexpected end of JSON path');
  return token;
}

function fieldOf(schema: Schema, name: string): Schema {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name] ?? {};
  if (properties === undefined && additionalProperties !== undefined) {
    return typeof additionalProperties === 'object' ? additionalProperties : {};
  }
  throw new PathProblem('does not refer to a valid field');
}

function unescapeName(text: string): string {
  return text.replaceAll(/\\(.)/gs, (escape: string, letter: string) => {
    const character = ESCAPES.get(letter);
    if (character === undefined) throw new PathProblem(`invalid string literal: invalid escape char ${escape}`);
    return character;
  });
}

function tokenize(path: string): readonly string[] {
  return path.match(/'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/gs) ?? [];
}
