import { parseJson } from '@smalt/json';

import { KubernetesApiError } from './kubernetes-api-error.ts';
import type { Field, FieldType, ScalarName } from './message-type.ts';

const SCALARS: ReadonlyMap<string, { readonly scalar: ScalarName; readonly goName: string }> = new Map(
  Object.entries({
    string: 'string',
    bool: 'bool',
    int32: 'int32',
    int64: 'int64',
    double: 'float64',
    bytes: '[]uint8',
    quantity: 'resource.Quantity',
    intOrString: 'intstr.IntOrString',
    time: 'v1.Time',
    microtime: 'v1.MicroTime',
    raw: 'runtime.RawExtension',
    fields: 'v1.FieldsV1',
    json: 'v1.JSON',
    schemaOrArray: 'v1.JSONSchemaPropsOrArray',
    schemaOrBool: 'v1.JSONSchemaPropsOrBool',
    schemaOrStrings: 'v1.JSONSchemaPropsOrStringArray',
  } satisfies Record<ScalarName, string>).map(([scalar, goName]) => [
    scalar,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names are those of the literal above
    { scalar: scalar as ScalarName, goName },
  ]),
);

/** Reads the lines of one type of a `.kinds` file: `name number type flags…`. */
export function parseFields(lines: readonly string[], packageKey: string): readonly Field[] {
  return lines.map((line) => {
    const [name = '', number = '', type = '', ...flags] = line.split(' ');
    if (!/^\d+$/.test(number)) throw new KubernetesApiError('malformed', `no field number in "${line}"`);
    return {
      name: name === '-' ? '' : name,
      number: Number(number),
      ...readFlags(flags, line),
      type: parseFieldType(type, packageKey),
    };
  });
}

/** Reads a type: `string`, `[]Container`, `{}quantity`, `meta/ObjectMeta`, `string=v1.PodPhase!`, `({}quantity)=v1.ResourceList`. */
function parseFieldType(text: string, packageKey: string): FieldType {
  if (text.startsWith('[]')) return listOf(parseFieldType(text.slice(2), packageKey), false);
  if (text.startsWith('~[]')) return listOf(parseFieldType(text.slice(3), packageKey), true);
  if (text.startsWith('{}')) {
    const values = parseFieldType(text.slice(2), packageKey);
    return { kind: 'map', values, goName: `map[string]${values.goName}` };
  }
  const equals = text.lastIndexOf('=');
  if (equals >= 0) return named(text.slice(0, equals), text.slice(equals + 1), packageKey);
  const scalar = SCALARS.get(text);
  if (scalar !== undefined) return { kind: 'scalar', ...scalar };
  const slash = text.indexOf('/');
  const name = text.slice(slash + 1);
  return { kind: 'message', package: slash < 0 ? packageKey : text.slice(0, slash), name, goName: `v1.${name}` };
}

function listOf(items: FieldType, isWrapped: boolean): FieldType {
  return { kind: 'list', items, goName: `[]${items.goName}`, isWrapped };
}

function named(inner: string, name: string, packageKey: string): FieldType {
  const type = parseFieldType(inner.replace(/^\((.*)\)$/, '$1'), packageKey);
  const [goName = '', enumerationPackage] = name.split('!');
  if (type.kind !== 'scalar' || enumerationPackage === undefined) return { ...type, goName };
  const enumeration = { package: enumerationPackage || packageKey, name: goName.slice(goName.indexOf('.') + 1) };
  return { ...type, goName, enumeration };
}

function readFlags(flags: readonly string[], line: string): Omit<Field, 'name' | 'number' | 'type'> {
  const read: { -readonly [K in keyof Field]?: Field[K] } = {};
  for (const flag of flags) {
    const equals = flag.indexOf('=');
    const word = equals < 0 ? flag : flag.slice(0, equals);
    const value = equals < 0 ? '' : flag.slice(equals + 1);
    const [first = '', second] = value.split(':');
    if (word === '*') read.isPointer = true;
    else if (word === 'always') read.isAlwaysShown = true;
    else if (word === 'required') read.isRequired = true;
    else if (word === 'list') Object.assign(read, listFlags(first, second, line));
    else if (word === 'map') read.mapType = first === 'atomic' ? 'atomic' : 'granular';
    else if (word === 'patch')
      Object.assign(read, { patchStrategy: first }, second === undefined ? {} : { patchMergeKey: second });
    else if (word === 'default') read.default = parseJson(value);
    else if (word !== 'inline') throw new KubernetesApiError('malformed', `unknown flag "${flag}" in "${line}"`);
  }
  return { isPointer: false, isAlwaysShown: false, isRequired: false, ...read };
}

function listFlags(type: string, keys: string | undefined, line: string): Pick<Field, 'listType' | 'listMapKeys'> {
  if (type !== 'atomic' && type !== 'set' && type !== 'map') {
    throw new KubernetesApiError('malformed', `unknown list type in "${line}"`);
  }
  return { listType: type, ...(keys === undefined ? {} : { listMapKeys: keys.split(',') }) };
}
