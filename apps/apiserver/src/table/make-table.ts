import { isJsonObject, printJson, type JsonObject, type JsonValue } from '@smalt/json';
import type { ListMeta } from '@smalt/kubernetes';
import type { Column, Resource } from '@smalt/resource';

/** How much of an object goes along with its row. */
export type IncludeObject = 'Metadata' | 'Object' | 'None';

export interface TableOptions {
  readonly version: 'v1' | 'v1beta1';
  readonly includeObject: IncludeObject;
  /** Left out after the first event of a watch. */
  readonly hasHeaders: boolean;
  readonly now: Date;
}

/** What is shown of a kind. */
export type TableKind = Pick<Resource, 'columns'>;

/** An object with the JSON bytes it is kept as. */
export interface TableSource {
  readonly value: JsonObject;
  readonly bytes: Buffer;
  /** How many bytes there are; known without reading them. */
  readonly byteLength: number;
}

const NAME_COLUMN: JsonObject = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
  priority: 0,
};

/** Prints objects as a Table: one row each, the name first. */
export function makeTable(
  resource: TableKind,
  objects: Iterable<TableSource>,
  metadata: ListMeta,
  options: TableOptions,
): string {
  const rows: string[] = [];
  for (const object of objects) rows.push(printRow(resource, object, options));
  return `${printTableHead(resource, metadata, options)}${rows.join(',')}]}`;
}

/** Prints a Table up to its first row. */
export function printTableHead(resource: TableKind, metadata: ListMeta, options: TableOptions): string {
  const head = {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata: { ...metadata },
    columnDefinitions: options.hasHeaders ? columnDefinitions(resource) : null,
  };
  return `${printJson(head).slice(0, -1)},"rows":[`;
}

function columnDefinitions({ columns }: TableKind): readonly JsonObject[] {
  const definitions = columns.map((column) => ({
    name: column.name,
    type: column.type,
    format: column.format ?? '',
    description: column.description,
    priority: column.priority,
  }));
  return placesItsName(columns) ? definitions : [NAME_COLUMN, ...definitions];
}

// Events have their name in another place than all other kinds.
function placesItsName(columns: readonly Column[]): boolean {
  return columns.some(({ format }) => format === 'name');
}

/** Prints the row of one object. */
export function printRow({ columns }: TableKind, source: TableSource, options: TableOptions): string {
  const object = source.value;
  const metadata = metadataOf(object);
  const cells: JsonValue[] = placesItsName(columns) ? [] : [metadata['name'] ?? ''];
  for (const column of columns) cells.push(column.cell(object, options.now));
  return `{"cells":${printJson(cells)},"object":${includedObject(source, metadata, options)}}`;
}

function includedObject(source: TableSource, metadata: JsonObject, options: TableOptions): string {
  switch (options.includeObject) {
    case 'None':
      return 'null';
    case 'Object':
      return source.bytes.toString('utf8');
    case 'Metadata':
      return printPartialObject(metadata, options.version);
  }
}

/** Prints what identifies an object and nothing else of it. */
export function printPartialObject(metadata: JsonObject, version: 'v1' | 'v1beta1'): string {
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${version}","metadata":${printJson(metadata)}}`;
}

/** The metadata of an object; empty where it has none. */
export function metadataOf(object: JsonObject): JsonObject {
  const metadata = object['metadata'];
  return isJsonObject(metadata) ? metadata : {};
}
