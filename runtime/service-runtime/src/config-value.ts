import type { ConfigList, ConfigScalar } from './config-schema.ts';
import { ServiceError } from './service-error.ts';

export type ConfigValue = string | number | boolean | readonly (string | number | boolean)[];

const INTEGER = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(\d+([.]\d*)?|[.]\d+)(e[+-]?\d+)?$/i;

/** Reads what a flag or a variable says, and checks it. `source` names where it stands, for messages. */
export function readTextValue(schema: ConfigScalar | ConfigList, text: string, source: string): ConfigValue {
  if (schema.type !== 'array') return checkValue(schema, fromText(schema, text), source);
  const items = text === '' ? [] : text.split(',').map((item) => fromText(schema.items, item.trim()));
  return checkValue(schema, items, source);
}

/** Checks a value from a file or of a list against its schema; a wrong one is an error that names its source. */
export function checkValue(schema: ConfigScalar | ConfigList, value: unknown, source: string): ConfigValue {
  if (schema.type !== 'array') return checkScalar(schema, value, source);
  if (!Array.isArray(value)) throw invalid(source, 'must be a list');
  const { minItems = 0, maxItems = Infinity } = schema;
  if (value.length < minItems) throw invalid(source, `must have at least ${minItems} items`);
  if (value.length > maxItems) throw invalid(source, `must have at most ${maxItems} items`);
  const items: readonly unknown[] = value;
  return items.map((item, index) =>
    checkScalar({ ...schema.items, ...secrecyOf(schema) }, item, `${source}[${index}]`),
  );
}

function secrecyOf(schema: ConfigList): { readonly writeOnly?: boolean } {
  return schema.writeOnly === undefined ? {} : { writeOnly: schema.writeOnly };
}

function fromText({ type }: ConfigScalar, text: string): unknown {
  switch (type) {
    case 'string':
      return text;
    case 'boolean':
      return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text;
    case 'integer':
      return INTEGER.test(text) ? Number(text) : text;
    case 'number':
      return NUMBER.test(text) ? Number(text) : text;
  }
}

function checkScalar(schema: ConfigScalar, value: unknown, source: string): string | number | boolean {
  const shown = schema.writeOnly === true ? '' : `, not ${JSON.stringify(value)}`;
  if (!isOfType(schema, value)) throw invalid(source, `must be ${articleOf(schema.type)}${shown}`);
  const complaint = complaintAbout(schema, value);
  if (complaint !== undefined) throw invalid(source, `${complaint}${shown}`);
  return value;
}

function isOfType({ type }: ConfigScalar, value: unknown): value is string | number | boolean {
  return type === 'integer' ? Number.isSafeInteger(value) : typeof value === type && !Number.isNaN(value);
}

function articleOf(type: ConfigScalar['type']): string {
  switch (type) {
    case 'string':
      return 'text';
    case 'integer':
      return 'a whole number';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'true or false';
  }
}

function complaintAbout(schema: ConfigScalar, value: string | number | boolean): string | undefined {
  if (schema.enum !== undefined && !schema.enum.some((allowed) => allowed === value)) {
    return `must be one of ${schema.enum.join(', ')}`;
  }
  if (typeof value === 'number') return complaintAboutNumber(schema, value);
  if (typeof value === 'string') return complaintAboutText(schema, value);
  return undefined;
}

function complaintAboutNumber(
  { minimum = -Infinity, maximum = Infinity }: ConfigScalar,
  value: number,
): string | undefined {
  if (value < minimum) return `must be at least ${minimum}`;
  if (value > maximum) return `must be at most ${maximum}`;
  return undefined;
}

function complaintAboutText(schema: ConfigScalar, value: string): string | undefined {
  const { minLength = 0, maxLength = Infinity, pattern } = schema;
  if (value.length < minLength)
    return minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`;
  if (value.length > maxLength) return `must have at most ${maxLength} characters`;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return `must match ${pattern}`;
  return undefined;
}

function invalid(source: string, complaint: string): ServiceError {
  return new ServiceError('invalid-config', `${source} ${complaint}`);
}
