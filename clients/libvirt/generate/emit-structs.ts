import { listName, minimumBytes, readExpression, typeScriptType, writeStatement } from './emit-value.ts';
import { GENERATED, indent } from './source-text.ts';
import type { Field, Struct, WireSchema } from './wire-schema.ts';
import type { WireType } from './wire-type.ts';

/** The shapes that calls and messages share, with a reader for each and a writer for those that clients send. */
export function emitStructs(schema: WireSchema): string {
  const sent = typesSentByClients(schema);
  const structs = [...schema.structs.values()].map((struct) => emitStruct(struct, sent));
  const lists = [...distinctLists(schema).values()].map((item) => emitList(item, { schema, sent }));
  return [
    GENERATED,
    "import type { XdrReader, XdrWriter } from '@smalt/xdr';",
    "import { TypedParameterRecords } from '../typed-parameters-records.ts';",
    "import type { TypedParameterResult } from '../typed-parameters.ts';",
    "import { readUuid, writeUuid } from '../uuid.ts';",
    "import { STRING_MAX, writeString } from '../wire-string.ts';",
    "import { readText } from '../word-bytes.ts';",
    "import type { DomainStatsParameters } from './parameter-sets.gen.ts';",
    '',
    ...structs,
    ...lists,
  ].join('\n');
}

function emitStruct({ name, fields }: Struct, sent: ReadonlySet<string>): string {
  const members = fields.map((field) => `readonly ${field.name}: ${typeScriptType(field.type, 'result')};`);
  const reads = fields.map((field) => `${field.name}: ${readField(field.type)},`);
  const records = hasParameters(fields) ? ', records: TypedParameterRecords' : '';
  const lines = [
    `export interface ${name} {`,
    indent(members),
    '}',
    '',
    `export function read${name}(reader: XdrReader${records}): ${name} {`,
    `  return {`,
    indent(indent(reads)),
    '  };',
    '}',
    '',
  ];
  if (!sent.has(name)) return lines.join('\n');
  return [
    ...lines,
    `export function write${name}(writer: XdrWriter, value: ${name}): void {`,
    indent(fields.map((field) => writeStatement(field.type, `value.${field.name}`))),
    '}',
    '',
  ].join('\n');
}

function emitList(item: WireType, { schema, sent }: { schema: WireSchema; sent: ReadonlySet<string> }): string {
  const name = listName(item);
  const type = typeScriptType(item, 'result');
  const needsRecords = item.kind === 'struct' && hasParameters(schema.structs.get(item.name)?.fields ?? []);
  const read = needsRecords ? `read${type}(reader, records)` : readExpression(item);
  const lines = [
    `export function read${name}(reader: XdrReader, max: number): readonly ${type}[] {`,
    `  const count = reader.arrayLength(max, ${minimumBytes(item, schema)});`,
    `  const items = new Array<${type}>(count);`,
    ...(needsRecords ? ['  const records = new TypedParameterRecords();'] : []),
    `  for (let index = 0; index < count; index++) items[index] = ${read};`,
    '  return items;',
    '}',
    '',
  ];
  if (!sent.has(name)) return lines.join('\n');
  return [
    ...lines,
    `export function write${name}(writer: XdrWriter, items: readonly ${type}[], max: number): void {`,
    '  writer.arrayLength(items.length, max);',
    `  for (const item of items) ${writeStatement(item, 'item')}`,
    '}',
    '',
  ].join('\n');
}

function hasParameters(fields: readonly Field[]): boolean {
  return fields.some((field) => field.type.kind === 'parameters');
}

// A struct with typed parameters comes in lists only, whose reader remembers the names of the fields.
function readField(type: WireType): string {
  if (type.kind !== 'parameters') return readExpression(type);
  return `records.read<${type.set}Parameters>(reader, ${type.max})`;
}

function distinctLists(schema: WireSchema): Map<string, WireType> {
  const lists = new Map<string, WireType>();
  for (const type of allTypes(schema)) if (type.kind === 'list') lists.set(listName(type.item), type.item);
  return new Map([...lists].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function allTypes(schema: WireSchema): WireType[] {
  const structs = [...schema.structs.values()].flatMap((struct) => struct.fields);
  const procedures = schema.procedures.flatMap((procedure) =>
    procedure.kind === 'call' ? [...procedure.args, ...procedure.result] : procedure.fields,
  );
  return [...structs, ...procedures].map((field) => field.type);
}

/** The structs and lists that appear in arguments, by the names of their writers. */
function typesSentByClients(schema: WireSchema): ReadonlySet<string> {
  const sent = new Set<string>();
  const visit = (type: WireType): void => {
    if (type.kind === 'optional') return visit(type.item);
    if (type.kind === 'list') {
      sent.add(listName(type.item));
      return visit(type.item);
    }
    if (type.kind !== 'struct' || sent.has(type.name)) return undefined;
    sent.add(type.name);
    for (const field of schema.structs.get(type.name)?.fields ?? []) visit(field.type);
    return undefined;
  };
  for (const procedure of schema.procedures) {
    if (procedure.kind === 'call') for (const argument of procedure.args) visit(argument.type);
  }
  return sent;
}
