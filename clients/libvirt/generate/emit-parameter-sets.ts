import { propertyName } from './naming.ts';
import type { FieldType, ParameterField, ParameterSet } from './parse-parameter-sets.ts';
import { GENERATED, indent } from './source-text.ts';

const VALUE_TYPES: Readonly<Record<FieldType, string>> = {
  int: 'number',
  uint: 'number',
  double: 'number',
  llong: 'bigint',
  ullong: 'bigint',
  unsigned: 'number | bigint',
  boolean: 'boolean',
  string: 'string',
};

/** An interface per set of typed parameters, and the wire types of those that clients send. */
export function emitParameterSets(sets: Iterable<ParameterSet>, sent: ReadonlySet<string>): string {
  const all = [...sets];
  const tables = all.filter((set) => sent.has(set.name));
  return [
    GENERATED,
    "import type { TypedParameterTypes } from '../typed-parameters.ts';",
    '',
    ...all.map(emitInterface),
    '/** The type of `parameterTypes`. */',
    'export interface ParameterTypeTable {',
    indent(tables.map((set) => `readonly ${set.name}: TypedParameterTypes;`)),
    '}',
    '',
    '/** The wire types of the fields that clients send, by set. */',
    'export const parameterTypes: ParameterTypeTable = {',
    indent(tables.map(emitTable)),
    '};',
    '',
  ].join('\n');
}

function emitInterface({ name, fields }: ParameterSet): string {
  return [`export interface ${name}Parameters {`, indent(fields.map(emitMember)), '}', ''].join('\n');
}

function emitMember({ name, type, repeats }: ParameterField): string {
  const value = repeats ? `readonly ${VALUE_TYPES[type]}[]` : VALUE_TYPES[type];
  if (!name.includes('#')) return `readonly ${propertyName(name)}: ${value};`;
  return `readonly [field: \`${name.replaceAll('#', '${number}')}\`]: ${value};`;
}

function emitTable({ name, fields }: ParameterSet): string {
  const entries = fields.map((field) => `['${field.name}', '${field.type}'],`);
  return [`${name}: new Map([`, indent(entries), ']),'].join('\n');
}
