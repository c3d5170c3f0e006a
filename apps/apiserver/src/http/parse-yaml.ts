import type { JsonValue } from '@smalt/json';
import { parseDocument, visit, type Document, type Tags } from 'yaml';

import { isYamlDeeperThan } from './is-yaml-deeper-than.ts';
import { MAX_BODY_DEPTH } from './max-body-depth.ts';

/** What YAML text holds, or why it cannot be read. */
export interface ParsedYaml {
  readonly value: JsonValue;
  readonly duplicateFields: readonly string[];
  readonly error?: string;
}

const MAX_ALIASES = 100;
const TOO_DEEP = `exceeded max depth of ${MAX_BODY_DEPTH}`;

/** Reads one YAML document the way the API reads it: names are strings, and integers stay exact. */
export function parseYaml(text: string): ParsedYaml {
  if (isYamlDeeperThan(text, MAX_BODY_DEPTH)) return { value: null, duplicateFields: [], error: TOO_DEEP };
  const options = { intAsBigInt: true, uniqueKeys: false, version: '1.1', merge: true, logLevel: 'silent' } as const;
  const document = parseDocument(text, { ...options, customTags: withoutTimes });
  const [problem] = document.errors;
  if (problem !== undefined) return { value: null, duplicateFields: [], error: problem.message.split('\n')[0] ?? '' };
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return { value: plain(value, 0), duplicateFields: duplicatesIn(document) };
  } catch (error) {
    if (!(error instanceof ReferenceError) && !(error instanceof TypeError)) throw error;
    return { value: null, duplicateFields: [], error: error.message };
  }
}

// A date or 12:30 is text to the API, though YAML 1.1 has types for them.
function withoutTimes(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag === 'string' || !(tag.tag.endsWith(':timestamp') || isTime(tag)));
}

function isTime(tag: object): boolean {
  return 'format' in tag && tag.format === 'TIME';
}

// Aliases can make a value deeper than its text.
function plain(value: unknown, depth: number): JsonValue {
  if (depth > MAX_BODY_DEPTH) throw new TypeError(TOO_DEEP);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((part) => plain(part, depth + 1));
  if (typeof value !== 'object') throw new TypeError(`a value of type ${typeof value} cannot be an object's field`);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [checkedName(name), plain(part, depth + 1)]));
}

function checkedName(name: string): string {
  if (name === '__proto__') throw new TypeError('the field name "__proto__" is not allowed');
  return name;
}

function duplicatesIn(document: Document): readonly string[] {
  const duplicates: string[] = [];
  visit(document, {
    Map(_key, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const name = String(key);
        if (seen.has(name)) duplicates.push(name);
        seen.add(name);
      }
    },
  });
  return duplicates;
}
