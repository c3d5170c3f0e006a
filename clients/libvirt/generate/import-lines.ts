import { listName } from './emit-value.ts';
import { usedNames } from './source-text.ts';
import type { WireSchema } from './wire-schema.ts';
import type { WireType } from './wire-type.ts';

const MODULES: readonly { readonly from: string; readonly types?: string[]; readonly values?: string[] }[] = [
  { from: '@smalt/xdr', types: ['XdrReader', 'XdrWriter'] },
  { from: '../argument-error.ts', values: ['argumentError'] },
  {
    from: '../procedure.ts',
    types: ['CallbackEvent', 'EventMessage', 'ObjectEventMessage', 'Procedure', 'StreamProcedure'],
  },
  {
    from: '../typed-parameters.ts',
    types: ['Counters', 'TypedParameterInput', 'TypedParameterResult'],
    values: ['readCounters', 'readTypedParameterGroups', 'readTypedParameters', 'writeTypedParameters'],
  },
  { from: '../uuid.ts', values: ['readUuid', 'writeUuid'] },
  { from: '../wire-string.ts', values: ['STRING_MAX', 'writeString'] },
  { from: '../word-bytes.ts', values: ['readFixedText', 'readText', 'readWordBytes', 'writeWordBytes'] },
];

/** The import declarations for everything that `body` uses, and nothing else. */
export function importLines(body: string, schema: WireSchema): string[] {
  const structs = [...schema.structs.keys()];
  const accessors = [...structs, ...listNames(schema)].flatMap((name) => [`read${name}`, `write${name}`]);
  const sets = [...new Set(body.match(/\b\w+Parameters(?=>)/g))];
  return [
    ...MODULES,
    { from: './parameter-sets.gen.ts', types: sets, values: ['parameterTypes'] },
    { from: './structs.gen.ts', types: structs, values: accessors },
  ].flatMap(({ from, types = [], values = [] }) => importLine(from, usedNames(body, types), usedNames(body, values)));
}

function importLine(from: string, types: readonly string[], values: readonly string[]): string[] {
  if (values.length === 0 && types.length === 0) return [];
  if (values.length === 0) return [`import type { ${types.join(', ')} } from '${from}';`];
  return [`import { ${[...values, ...types.map((name) => `type ${name}`)].join(', ')} } from '${from}';`];
}

function listNames(schema: WireSchema): string[] {
  const types = schema.procedures.flatMap((procedure) =>
    procedure.kind === 'call' ? [...procedure.args, ...procedure.result] : procedure.fields,
  );
  return [...new Set(types.flatMap(({ type }) => listNameOf(type)))];
}

function listNameOf(type: WireType): string[] {
  return type.kind === 'list' ? [listName(type.item)] : [];
}
