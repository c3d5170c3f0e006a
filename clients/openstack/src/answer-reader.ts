import { isJsonArray, isJsonObject, jsonField, type JsonObject, type JsonValue } from '@smalt/json';

import { OpenStackError } from './openstack-error.ts';

/** Which answer is read, for errors. */
export interface AnswerOrigin {
  /** The call, such as `GET /servers/{server}`. */
  readonly what: string;
  readonly requestId: string | undefined;
}

/**
 * Reads the fields of a JSON object that came from a service. Whatever is not as promised is a `bad-answer` that names
 * the call and the field; null is as good as missing.
 */
export class AnswerReader {
  readonly #object: JsonObject;
  readonly #origin: AnswerOrigin;
  readonly #path: string;

  constructor(value: JsonValue | undefined, origin: AnswerOrigin, path: string = '') {
    if (!isJsonObject(value)) throw mismatch(origin, path, 'an object', value);
    this.#object = value;
    this.#origin = origin;
    this.#path = path;
  }

  get names(): readonly string[] {
    return Object.keys(this.#object);
  }

  has(name: string): boolean {
    return this.#value(name) !== undefined;
  }

  text(name: string): string {
    return this.optionalText(name) ?? this.#fail(name, 'text');
  }

  optionalText(name: string): string | undefined {
    const value = this.#value(name);
    return value === undefined || typeof value === 'string' ? value : this.#fail(name, 'text');
  }

  /** An integer that a number holds exactly. */
  integer(name: string): number {
    return this.optionalInteger(name) ?? this.#fail(name, 'an integer');
  }

  optionalInteger(name: string): number | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
    return this.#fail(name, 'an integer below 2^53');
  }

  number(name: string): number {
    const value = this.#value(name);
    return typeof value === 'number' ? value : this.#fail(name, 'a number');
  }

  boolean(name: string): boolean {
    return this.optionalBoolean(name) ?? this.#fail(name, 'true or false');
  }

  optionalBoolean(name: string): boolean | undefined {
    const value = this.#value(name);
    return value === undefined || typeof value === 'boolean' ? value : this.#fail(name, 'true or false');
  }

  /** A moment as RFC 3339 has it. Services leave the zone out, and mean UTC. */
  optionalTime(name: string): string | undefined {
    const text = this.optionalText(name);
    if (text === undefined || text === '') return undefined;
    const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`;
    const moment = Date.parse(zoned);
    return Number.isNaN(moment) ? this.#fail(name, 'a time') : new Date(moment).toISOString();
  }

  object(name: string): AnswerReader {
    return new AnswerReader(this.#value(name), this.#origin, this.#pathOf(name));
  }

  optionalObject(name: string): AnswerReader | undefined {
    return this.has(name) ? this.object(name) : undefined;
  }

  objects(name: string): readonly AnswerReader[] {
    const value = this.#value(name);
    if (!isJsonArray(value)) return this.#fail(name, 'a list');
    return value.map((each, index) => new AnswerReader(each, this.#origin, `${this.#pathOf(name)}[${index}]`));
  }

  /** As `objects`, where a missing list is an empty one. */
  optionalObjects(name: string): readonly AnswerReader[] {
    return this.has(name) ? this.objects(name) : [];
  }

  texts(name: string): readonly string[] {
    const value = this.#value(name);
    if (!isJsonArray(value)) return this.#fail(name, 'a list of texts');
    return value.map((each) => (typeof each === 'string' ? each : this.#fail(name, 'a list of texts')));
  }

  optionalTexts(name: string): readonly string[] {
    return this.has(name) ? this.texts(name) : [];
  }

  /** An object used as a map: each of its fields is read the same way. */
  map<T>(name: string, read: (fields: AnswerReader, key: string) => T): Readonly<Record<string, T>> {
    const fields = this.object(name);
    return Object.fromEntries(fields.names.map((key) => [key, read(fields, key)]));
  }

  /** An object of texts, such as metadata; empty if it is missing. */
  textMap(name: string): Readonly<Record<string, string>> {
    return this.has(name) ? this.map(name, (fields, key) => fields.text(key)) : {};
  }

  /** Whether the field is text; Nova writes "" where there is no object. */
  isText(name: string): boolean {
    return typeof this.#value(name) === 'string';
  }

  #value(name: string): JsonValue | undefined {
    return jsonField(this.#object, name) ?? undefined;
  }

  #pathOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  #fail(name: string, expected: string): never {
    throw mismatch(this.#origin, this.#pathOf(name), expected, this.#value(name));
  }
}

function mismatch(origin: AnswerOrigin, path: string, expected: string, value: JsonValue | undefined): OpenStackError {
  const field = path === '' ? 'the answer' : path;
  return new OpenStackError('bad-answer', `${origin.what}: ${field} is ${nameOf(value)}, not ${expected}`, {
    requestId: origin.requestId,
  });
}

function nameOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'missing';
  if (isJsonArray(value)) return 'a list';
  if (isJsonObject(value)) return 'an object';
  return typeof value === 'string' ? 'text' : String(value);
}
