import { packages } from './generated/packages.gen.ts';
import { KubernetesApiError } from './kubernetes-api-error.ts';
import type { Field, FieldType, MessageType, PackageSource } from './message-type.ts';
import { parseFields } from './parse-message-type.ts';

// What the tables say never changes, so what was read from them once is kept for the life of the process.
const packagesByKey: ReadonlyMap<string, PackageSource> = new Map(packages.map((source) => [source.key, source]));
const messageTypes = new Map<string, MessageType>();

/** A message of a package. Its text is read when it is first asked for. */
export function messageType(packageKey: string, name: string): MessageType {
  const id = `${packageKey}/${name}`;
  const known = messageTypes.get(id);
  if (known !== undefined) return known;
  const text = packageOf(packageKey).types[name];
  if (text === undefined) throw new KubernetesApiError('unknown-kind', `there is no type ${id}`);
  const type = readType(packageKey, name, text);
  messageTypes.set(id, type);
  return type;
}

/** The package of a group and version, if it is one of ours. */
export function findPackage(group: string, version: string): PackageSource | undefined {
  return packages.find((source) => source.group === group && source.version === version);
}

export function packageOf(key: string): PackageSource {
  const source = packagesByKey.get(key);
  if (source === undefined) throw new KubernetesApiError('unknown-kind', `there is no package ${key}`);
  return source;
}

/** The words that a field of this type may hold, if they are listed. */
export function wordsOf(type: FieldType): readonly string[] | undefined {
  if (type.kind !== 'scalar' || type.enumeration === undefined) return undefined;
  return packageOf(type.enumeration.package).enumerations[type.enumeration.name];
}

/** The message that stands behind `apiVersion` and `kind`, lists included. */
export function findMessageType(apiVersion: string, kind: string): MessageType | undefined {
  // Every group serves its own copy of the options, and Status is in the core group.
  if (kind === 'DeleteOptions' || (kind === 'Status' && apiVersion === 'v1')) return messageType('meta', kind);
  const slash = apiVersion.indexOf('/');
  const source = findPackage(apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1));
  if (source === undefined) return undefined;
  if (Object.hasOwn(source.types, kind)) return rootType(source, kind);
  const item = kind.endsWith('List') ? kind.slice(0, -'List'.length) : '';
  return Object.hasOwn(source.types, item) && rootType(source, item) !== undefined ? listType(source, item) : undefined;
}

function rootType(source: PackageSource, kind: string): MessageType | undefined {
  const type = messageType(source.key, kind);
  return type.isKind ? type : undefined;
}

function listType(source: PackageSource, item: string): MessageType {
  const id = `${source.key}/${item}List`;
  const known = messageTypes.get(id);
  if (known !== undefined) return known;
  const text = `\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ListMeta always\nitems 2 []${item} always required`;
  const type = readType(source.key, `${item}List`, text);
  messageTypes.set(id, type);
  return type;
}

function readType(packageKey: string, name: string, text: string): MessageType {
  const [head, ...lines] = text.split('\n');
  const fields = parseFields(lines, packageKey);
  const shown = fields.flatMap(shownFields);
  return {
    package: packageKey,
    name,
    isAtomic: head === 'atomic',
    isKind: fields.some((field) => field.name === 'apiVersion' && field.number === 0),
    // Kubernetes writes fields in the order of their numbers, and so does this: equal objects are equal bytes.
    fields: fields.toSorted((left, right) => left.number - right.number),
    byNumber: new Map(fields.filter((field) => field.number > 0).map((field) => [field.number, field])),
    shown,
    byName: new Map(shown.map((field) => [field.name, field])),
    alwaysShown: shown.filter((field) => field.isAlwaysShown),
  };
}

function shownFields(field: Field): readonly Field[] {
  if (field.name !== '' || field.type.kind !== 'message') return [field];
  return messageType(field.type.package, field.type.name).shown;
}
