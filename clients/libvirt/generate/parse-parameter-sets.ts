import type { SchemaFile } from './parse-wire-schema.ts';
import { errorAt, readBlocks, wordAt, type SchemaLine } from './read-blocks.ts';

const FIELD_TYPES = ['int', 'uint', 'llong', 'ullong', 'double', 'boolean', 'string', 'unsigned'] as const;

/** The wire type of a typed parameter; `unsigned` is uint or ullong, as the value demands. */
export type FieldType = (typeof FIELD_TYPES)[number];

export interface ParameterField {
  /** The name on the wire; a `#` in it stands for a number. */
  readonly name: string;
  readonly type: FieldType;
  readonly repeats: boolean;
}

/** The fields that a call takes or gives as typed parameters. */
export interface ParameterSet {
  readonly name: string;
  readonly fields: readonly ParameterField[];
}

/** Reads the file of typed parameters. Throws a SchemaError that names the line. */
export function parseParameterSets({ file, text }: SchemaFile): ReadonlyMap<string, ParameterSet> {
  const sets = new Map<string, ParameterSet>();
  for (const { head, body } of readBlocks(file, text)) {
    if (head.words[0] !== 'set') throw errorAt(head, `'${head.words[0]}' is not set`);
    const name = wordAt(head, 1, 'the name of the set');
    if (sets.has(name)) throw errorAt(head, `set ${name} is there twice`);
    const fields = body.map(parameterField);
    for (const [index, line] of body.entries()) {
      const isRepeated = fields.slice(0, index).some((field) => field.name === line.words[0]);
      if (isRepeated) throw errorAt(line, `${line.words[0]} is there twice`);
    }
    sets.set(name, { name, fields });
  }
  return sets;
}

function parameterField(line: SchemaLine): ParameterField {
  const name = wordAt(line, 0, 'the name of the field');
  const word = wordAt(line, 1, `the type of ${name}`);
  const type = FIELD_TYPES.find((known) => known === word);
  if (!type) throw errorAt(line, `'${word}' is not the type of a typed parameter`);
  const mark = line.words[2];
  if (mark !== undefined && mark !== 'repeats') throw errorAt(line, `'${mark}' is not 'repeats'`);
  return { name, type, repeats: mark === 'repeats' };
}
