import { errorAt, numberAt, readBlocks, wordAt, type SchemaBlock, type SchemaLine } from './read-blocks.ts';
import type { Argument, Call, Field, Message, ResultField, Struct, WireSchema } from './wire-schema.ts';
import { parseWireType, type WireType } from './wire-type.ts';

/** A schema file by name and content. */
export interface SchemaFile {
  readonly file: string;
  readonly text: string;
}

const STREAMS = ['read', 'write', 'both'] as const;

/** Reads the files that describe structs, calls and messages. Throws a SchemaError that names the line. */
export function parseWireSchema(files: readonly SchemaFile[]): WireSchema {
  const structs = new Map<string, Struct>();
  const procedures: (Call | Message)[] = [];
  const taken = new Set<string>();
  for (const { file, text } of files) {
    let program = 0;
    for (const block of readBlocks(file, text)) {
      const [keyword] = block.head.words;
      if (keyword === 'program') program = numberAt(block.head, 2, 'the number of the program');
      else if (keyword === 'struct') addStruct(structs, block);
      else if (keyword === 'call') procedures.push(claim(taken, block, parseCall(block, program)));
      else if (keyword === 'message') procedures.push(claim(taken, block, parseMessage(block, program)));
      else throw errorAt(block.head, `'${keyword}' is not program, struct, call or message`);
    }
  }
  const schema = { structs, procedures };
  for (const { file, text } of files) checkReferences(schema, readBlocks(file, text));
  return schema;
}

function addStruct(structs: Map<string, Struct>, { head, body }: SchemaBlock): void {
  const name = wordAt(head, 1, 'the name of the struct');
  if (structs.has(name)) throw errorAt(head, `struct ${name} is there twice`);
  structs.set(name, {
    name,
    fields: distinct(
      body,
      body.map((line) => field(line, 0)),
    ),
  });
}

function claim<T extends Call | Message>(taken: Set<string>, { head }: SchemaBlock, procedure: T): T {
  for (const key of [`${procedure.program}/${procedure.number}`, procedure.name]) {
    if (taken.has(key)) throw errorAt(head, `${procedure.name}: its name or number is taken`);
    taken.add(key);
  }
  return procedure;
}

function parseCall({ head, body }: SchemaBlock, program: number): Call {
  const marks = head.words.slice(3);
  const option = (name: string): string | undefined =>
    marks.find((mark) => mark.startsWith(`${name}=`))?.slice(name.length + 1);
  const name = wordAt(head, 2, 'the name of the call');
  const stream = STREAMS.find((direction) => direction === option('stream'));
  for (const mark of marks) {
    if (!/^(high|internal|descriptors|counted(=\w+)?|stream=(read|write|both))$/.test(mark)) {
      throw errorAt(head, `'${mark}' is not a mark of a call`);
    }
  }
  const args = body.filter((line) => line.words[0] === '>');
  const result = body.filter((line) => line.words[0] === '<');
  const stray = body.find((line) => !args.includes(line) && !result.includes(line));
  if (stray) throw errorAt(stray, `a line of a call starts with '>' or '<', not '${stray.words[0]}'`);
  return {
    kind: 'call',
    program,
    number: numberAt(head, 1, 'the number of the call'),
    name,
    isHighPriority: marks.includes('high'),
    isInternal: marks.includes('internal'),
    passesFileDescriptors: marks.includes('descriptors'),
    stream,
    countedBy: marks.includes('counted') ? name : option('counted'),
    args: distinct(args, args.map(argument)),
    result: distinct(result, result.map(resultField)),
  };
}

function parseMessage({ head, body }: SchemaBlock, program: number): Message {
  const of = head.words.slice(3);
  if (of.length !== 0 && of.length !== 3 && of[0] !== 'callback') {
    throw errorAt(head, "a message is of OBJECT ID KIND, of 'callback', or of nothing");
  }
  return {
    kind: 'message',
    program,
    number: numberAt(head, 1, 'the number of the message'),
    name: wordAt(head, 2, 'the name of the message'),
    hasCallbackID: of.length > 0,
    event:
      of.length === 3
        ? { object: of[0] ?? '', id: numberAt(head, 4, 'the id of the event'), kind: of[2] ?? '' }
        : undefined,
    fields: distinct(
      body,
      body.map((line) => field(line, 0)),
    ),
  };
}

function argument(line: SchemaLine): Argument {
  const sign = line.words[3];
  if (sign === undefined) return { ...field(line, 1), preset: undefined };
  if (sign !== '=' && sign !== ':=') throw errorAt(line, `'=' or ':=' expected, not '${sign}'`);
  const value = line.words[4] === 'empty' ? 'empty' : numberAt(line, 4, 'the value');
  return { ...field(line, 1), preset: { value, fixed: sign === ':=' } };
}

function resultField(line: SchemaLine): ResultField {
  const mark = line.words[3];
  if (mark !== undefined && mark !== 'count') throw errorAt(line, `'${mark}' is not 'count'`);
  return { ...field(line, 1), isCount: mark === 'count' };
}

function field(line: SchemaLine, at: number): Field {
  const name = wordAt(line, at, 'the name of the field');
  const word = wordAt(line, at + 1, `the type of ${name}`);
  const type = parseWireType(word);
  if (!type) throw errorAt(line, `'${word}' is not a type`);
  return { name, type };
}

function distinct<T extends Field>(lines: readonly SchemaLine[], fields: readonly T[]): readonly T[] {
  for (const [index, { name }] of fields.entries()) {
    const line = lines[index];
    if (line && fields.findIndex((other) => other.name === name) < index) throw errorAt(line, `${name} is there twice`);
  }
  return fields;
}

// A struct may be used above its own lines, so names are looked up when all are known.
function checkReferences(schema: WireSchema, blocks: readonly SchemaBlock[]): void {
  for (const line of blocks.flatMap((block) => (block.head.words[0] === 'program' ? [] : block.body))) {
    const [first] = line.words;
    const type = parseWireType(line.words[first === '>' || first === '<' ? 2 : 1] ?? '');
    const missing = type && structNames(type).find((name) => !schema.structs.has(name));
    if (missing) throw errorAt(line, `there is no struct ${missing}`);
  }
}

function structNames(type: WireType): string[] {
  if (type.kind === 'struct') return [type.name];
  return type.kind === 'list' || type.kind === 'optional' ? structNames(type.item) : [];
}
