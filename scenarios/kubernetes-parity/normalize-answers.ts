import { isJsonObject, parseJson, printJson, type JsonObject, type JsonValue } from '@smalt/json';

import type { Answer } from './answer.ts';

const UID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const TIME = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const SERVICE_ADDRESS = /\b10\.96\.\d+\.\d+\b/g;
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;
const A_DAY_MS = 86_400_000;
const AGE_COLUMNS: ReadonlySet<string> = new Set(['Age', 'Last Seen', 'First Seen', 'Created At']);
const LIST_VERSION = '<list version>';
// A number that is a resourceVersion, in the texts that have one.
const VERSION_IN_TEXT = /(?<=current: |version: |in record \(|\\?"resourceVersion\\?":\\?")\d+/g;
const PRINTED_OBJECT = /"\{\\"(?:[^"\\]|\\.)*\}"/g;
/** Lists of which the order tells nothing, and the field that tells their items apart. */
const KEYED_LISTS: Readonly<Record<string, readonly [field: string, key: string]>> = {
  APIResourceList: ['resources', 'name'],
  APIGroupList: ['groups', 'name'],
};

/** Replaces what differs from run to run (uids, times, versions, ages, random names) by words that do not. */
export function normalizeAnswers(
  answers: readonly Answer[],
  variables: Readonly<Record<string, string>>,
): readonly Answer[] {
  const normalizer = new Normalizer(variables);
  return answers.map(({ code, headers, body }) => ({
    code,
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, normalizer.text(text)])),
    body: normalizer.value(body),
  }));
}

class Normalizer {
  readonly #words: readonly (readonly [string, string])[];
  readonly #uids = new Map<string, string>();
  readonly #versions = new Map<string, string>();
  readonly #generated = new Map<string, string>();

  constructor(variables: Readonly<Record<string, string>>) {
    // The longer come first, because a short one may be a part of them.
    this.#words = Object.entries(variables)
      .map(([name, text]): [string, string] => [text, `{${name}}`])
      .toSorted(([a], [b]) => b.length - a.length);
  }

  text(given: string): string {
    let text = given;
    for (const [word, name] of this.#words) text = text.replaceAll(word, name);
    for (const [word, name] of this.#generated) text = text.replaceAll(word, name);
    return text
      .replaceAll(UID, (uid) => numbered(this.#uids, uid, 'uid'))
      .replaceAll(TIME, (time) => (Math.abs(Date.parse(time) - Date.now()) < A_DAY_MS ? '<time>' : time))
      .replaceAll(SERVICE_ADDRESS, '<service address>')
      .replaceAll(TOKEN, '<token>')
      .replaceAll(PRINTED_OBJECT, sortedObject)
      .replaceAll(VERSION_IN_TEXT, '<version>');
  }

  value(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.value(item));
    return isJsonObject(value) ? this.#object(value) : value;
  }

  #object(object: JsonObject): JsonObject {
    const kind = object['kind'];
    if (kind === 'Table') return this.#table(object);
    if (kind === 'Status') return this.#status(object);
    const keyed = typeof kind === 'string' && Object.hasOwn(KEYED_LISTS, kind) ? KEYED_LISTS[kind] : undefined;
    if (keyed !== undefined) return this.#plainObject({ ...object, [keyed[0]]: byKey(object[keyed[0]], keyed[1]) });
    return this.#plainObject(object);
  }

  #plainObject(object: JsonObject): JsonObject {
    const isList = typeof object['kind'] === 'string' && Object.hasOwn(object, 'items');
    const entries = inOrder(object).map(([name, value]): [string, JsonValue] => {
      if (name === 'metadata' && isJsonObject(value)) return [name, this.#metadata(value, isList)];
      if (name === 'storageVersionHash') return [name, '<hash>'];
      if (name === 'serverAddress') return [name, '<address>'];
      if (name === 'resources' && Array.isArray(value)) return [name, this.value(byKey(value, 'resource'))];
      return [this.text(name), this.value(value)];
    });
    return Object.fromEntries(entries);
  }

  /** Causes come in any order, some of them twice; the message repeats them. */
  #status(status: JsonObject): JsonObject {
    const plain = this.#plainObject(status);
    const { details, message } = plain;
    const causes = isJsonObject(details) ? details['causes'] : undefined;
    if (!isJsonObject(details) || !Array.isArray(causes) || causes.length < 2) return plain;
    const texts = new Set(causes.map((cause: JsonValue) => printJson(cause)));
    const short = typeof message === 'string' ? message.replace(/\[.*\]$/s, '[<causes>]') : '';
    const inOrderOfText = [...texts].toSorted().map((text) => parseJson(text));
    return { ...plain, message: short, details: { ...details, causes: inOrderOfText } };
  }

  #metadata(metadata: JsonObject, isList: boolean): JsonObject {
    const { generateName, name, resourceVersion } = metadata;
    if (typeof generateName === 'string' && typeof name === 'string' && name.startsWith(generateName))
      this.#generated.set(name, `${generateName}<random>`);
    const entries = inOrder(metadata).map(([key, value]): [string, JsonValue] => {
      if (key === 'resourceVersion') return [key, isList ? LIST_VERSION : this.#version(resourceVersion)];
      if (key === 'continue') return [key, '<continue>'];
      return [this.text(key), this.value(value)];
    });
    return Object.fromEntries(entries);
  }

  #version(version: JsonValue | undefined): JsonValue {
    return typeof version === 'string' && version !== '' ? numbered(this.#versions, version, 'version') : '';
  }

  #table(table: JsonObject): JsonObject {
    const { columnDefinitions = [], rows = [], metadata = {}, ...rest } = table;
    const columns = Array.isArray(columnDefinitions) ? columnDefinitions : [];
    const ages = new Set(columns.flatMap((column, index) => (AGE_COLUMNS.has(nameOf(column)) ? [index] : [])));
    return {
      ...rest,
      metadata: isJsonObject(metadata) ? this.#metadata(metadata, true) : metadata,
      columnDefinitions: columns.map(withoutDescription),
      rows: Array.isArray(rows) ? rows.map((row: JsonValue) => this.#row(row, ages)) : rows,
    };
  }

  #row(row: JsonValue, ages: ReadonlySet<number>): JsonValue {
    if (!isJsonObject(row) || !Array.isArray(row['cells'])) return row;
    const rest = this.value(row);
    const cells = row['cells'].map((cell: JsonValue, index) => (isAge(cell, ages, index) ? '<age>' : this.value(cell)));
    return isJsonObject(rest) ? { ...rest, cells } : rest;
  }
}

function isAge(cell: JsonValue, ages: ReadonlySet<number>, index: number): boolean {
  return typeof cell === 'string' && ages.has(index) && /^\d+[sm]/.test(cell);
}

function nameOf(column: JsonValue): string {
  const name = isJsonObject(column) ? column['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

/** A word that is the same for the same value, and tells two values apart. */
function numbered(known: Map<string, string>, value: string, word: string): string {
  let name = known.get(value);
  if (name === undefined) {
    name = `<${word} ${known.size + 1}>`;
    known.set(value, name);
  }
  return name;
}

/** Descriptions are documentation, and each server has its own. */
function withoutDescription(column: JsonValue): JsonValue {
  if (!isJsonObject(column)) return column;
  const { description: _description, ...rest } = column;
  return rest;
}

function byKey(list: JsonValue | undefined, key: string): JsonValue {
  if (!Array.isArray(list)) return list ?? null;
  const items = list
    .filter((item: JsonValue) => isJsonObject(item))
    .map((item): [string, JsonObject] => {
      const name = item[key];
      return [typeof name === 'string' ? name : '', item];
    });
  return items.length < list.length || items.some(([name]) => name === '') ? list : Object.fromEntries(items);
}

/** An object that is printed in a text, with its fields in the order of the alphabet. */
function sortedObject(quoted: string): string {
  try {
    const text = parseJson(quoted);
    return typeof text === 'string' ? JSON.stringify(printJson(sorted(parseJson(text)))) : quoted;
  } catch {
    return quoted;
  }
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => sorted(item));
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}

// Servers print fields in their own order, and uids are numbered as they come.
function inOrder(object: JsonObject): [string, JsonValue][] {
  return Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
