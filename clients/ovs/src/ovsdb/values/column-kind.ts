/** The types of single values. A `reference` is the uuid of a row. */
export type AtomKind = 'string' | 'integer' | 'real' | 'boolean' | 'reference';

/**
 * What a column holds: exactly one value, at most one (`optional-string`), a set (`strings`, `references`) or a map:
 * `map` is one of strings to strings, `map-string-integer` one of strings to integers, and so on.
 */
export type ColumnKind = AtomKind | `optional-${AtomKind}` | `${AtomKind}s` | 'map' | `map-${AtomKind}-${AtomKind}`;

/** The columns of a table that are looked at. */
export interface ColumnKinds {
  readonly [column: string]: ColumnKind;
}

/** The tables that are looked at. */
export interface TableKinds {
  readonly [table: string]: ColumnKinds;
}

/** A single value: integers are exact, a reference is a uuid in text. */
export type AtomValue<Kind extends AtomKind> = Kind extends 'integer'
  ? bigint
  : Kind extends 'real'
    ? number
    : Kind extends 'boolean'
      ? boolean
      : string;

/** What a column of that kind holds in a row. */
export type ColumnValue<Kind extends ColumnKind> = Kind extends AtomKind
  ? AtomValue<Kind>
  : Kind extends `optional-${infer Atom extends AtomKind}`
    ? AtomValue<Atom> | undefined
    : Kind extends `${infer Atom extends AtomKind}s`
      ? ReadonlySet<AtomValue<Atom>>
      : Kind extends `map-${infer Key extends AtomKind}-${infer Value extends AtomKind}`
        ? ReadonlyMap<AtomValue<Key>, AtomValue<Value>>
        : ReadonlyMap<string, string>;

/** A row as the cache holds it: frozen, and the same object until something in it changes. */
export type Row<Columns extends ColumnKinds> = { readonly _uuid: string } & {
  readonly [Column in keyof Columns]: ColumnValue<Columns[Column]>;
};

/** The rows of each table by uuid. */
export type Rows<Tables extends TableKinds> = {
  readonly [Table in keyof Tables]: ReadonlyMap<string, Row<Tables[Table]>>;
};

/** What one transaction, or a new connection, did to one row. */
export type RowChange<Tables extends TableKinds> = {
  readonly [Table in keyof Tables]:
    | { readonly kind: 'inserted'; readonly table: Table; readonly row: Row<Tables[Table]> }
    | {
        readonly kind: 'modified';
        readonly table: Table;
        readonly row: Row<Tables[Table]>;
        readonly old: Row<Tables[Table]>;
      }
    | { readonly kind: 'deleted'; readonly table: Table; readonly old: Row<Tables[Table]> };
}[keyof Tables];
