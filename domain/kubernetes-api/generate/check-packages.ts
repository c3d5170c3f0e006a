import type { Field, FieldType, PackageSource } from '../src/message-type.ts';
import { parseFields } from '../src/parse-message-type.ts';
import { KindsFileError } from './kinds-file-error.ts';

/** Refuses packages with a reference to nothing, or with a number or a name that stands twice in one type. */
export function checkPackages(packages: readonly PackageSource[]): void {
  const known = new Map(packages.map((source) => [source.key, source]));
  for (const source of packages) {
    for (const [name, text] of Object.entries(source.types)) {
      const fields = parseFields(text.split('\n').slice(1), source.key);
      checkUnique(`${source.key}/${name}`, fields);
      for (const field of fields) checkReference(`${source.key}/${name}.${field.name}`, field.type, known);
    }
    for (const kind of source.kinds) {
      const name = kind.split(' ')[0] ?? '';
      if (!Object.hasOwn(source.types, name)) throw new KindsFileError(`${source.key}: kind ${name} has no type`);
    }
  }
}

function checkUnique(type: string, fields: readonly Field[]): void {
  const numbers = fields.map((field) => field.number).filter((number) => number !== 0);
  const names = fields.map((field) => field.name).filter((name) => name !== '');
  if (new Set(numbers).size !== numbers.length) throw new KindsFileError(`${type} uses a field number twice`);
  if (new Set(names).size !== names.length) throw new KindsFileError(`${type} uses a field name twice`);
}

function checkReference(place: string, type: FieldType, known: ReadonlyMap<string, PackageSource>): void {
  switch (type.kind) {
    case 'list':
      return checkReference(place, type.items, known);
    case 'map':
      return checkReference(place, type.values, known);
    case 'message':
      if (!Object.hasOwn(known.get(type.package)?.types ?? {}, type.name)) {
        throw new KindsFileError(`${place} refers to ${type.package}/${type.name}, which is not declared`);
      }
      return;
    case 'scalar': {
      const { enumeration } = type;
      if (enumeration === undefined) return;
      if (!Object.hasOwn(known.get(enumeration.package)?.enumerations ?? {}, enumeration.name)) {
        throw new KindsFileError(
          `${place} refers to the enum ${enumeration.package}/${enumeration.name}, which is not declared`,
        );
      }
    }
  }
}
