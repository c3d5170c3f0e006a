import { readFile } from 'node:fs/promises';

import { parseConstants, type ConstantGroup } from './parse-constants.ts';
import { parseParameterSets, type ParameterSet } from './parse-parameter-sets.ts';
import { parseWireSchema, type SchemaFile } from './parse-wire-schema.ts';
import type { WireSchema } from './wire-schema.ts';

/** All that the schema files say. */
export interface Schema {
  readonly wire: WireSchema;
  readonly parameterSets: ReadonlyMap<string, ParameterSet>;
  readonly constants: readonly ConstantGroup[];
}

const SCHEMA_FOLDER = new URL('../schema/', import.meta.url);

/** Reads the schema files of this package. Throws a SchemaError that names the line at fault. */
export async function readSchema(): Promise<Schema> {
  const [remote, qemu, lxc, admin, parameters, constants] = await Promise.all([
    load('remote.schema'),
    load('qemu.schema'),
    load('lxc.schema'),
    load('admin.schema'),
    load('typed-parameters.schema'),
    load('constants.schema'),
  ]);
  return {
    wire: parseWireSchema([remote, qemu, lxc, admin]),
    parameterSets: parseParameterSets(parameters),
    constants: parseConstants(constants),
  };
}

async function load(file: string): Promise<SchemaFile> {
  return { file, text: await readFile(new URL(file, SCHEMA_FOLDER), 'utf8') };
}
