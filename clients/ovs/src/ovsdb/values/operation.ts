import type { JsonObject } from '@smalt/json';

/** A reference to a row: by its uuid, or by the `uuidName` of an insert in the same transaction. */
export type OvsdbReference =
  | { readonly kind: 'uuid'; readonly uuid: string }
  | { readonly kind: 'named-uuid'; readonly name: string };

/** A single value that can be written. A number must be finite; integers beyond 2^53 are bigints. */
export type OvsdbAtom = string | number | bigint | boolean | OvsdbReference;

/** What can be written to a column. Plain text is a string; use `rowReference` for the uuid of a row. */
export type OvsdbValue = OvsdbAtom | ReadonlySet<OvsdbAtom> | ReadonlyMap<OvsdbAtom, OvsdbAtom>;

/** The columns that are written; the others stay, or get their defaults. */
export interface OvsdbRowValues {
  readonly [column: string]: OvsdbValue;
}

/** Which rows are meant. For a set or a map `includes` asks for some of its elements, `==` for exactly these. */
export type OvsdbCondition = readonly [
  column: string,
  comparison: '==' | '!=' | '<' | '<=' | '>' | '>=' | 'includes' | 'excludes',
  value: OvsdbValue,
];

/** How a column changes from what it is, which nobody has to know for it. */
export type OvsdbMutation = readonly [
  column: string,
  mutator: '+=' | '-=' | '*=' | '/=' | '%=' | 'insert' | 'delete',
  value: OvsdbValue,
];

interface InsertOperation {
  readonly op: 'insert';
  readonly table: string;
  readonly row: OvsdbRowValues;
  readonly uuidName?: string;
}

interface SelectOperation {
  readonly op: 'select';
  readonly table: string;
  readonly where: readonly OvsdbCondition[];
  readonly columns?: readonly string[];
}

interface UpdateOperation {
  readonly op: 'update';
  readonly table: string;
  readonly where: readonly OvsdbCondition[];
  readonly row: OvsdbRowValues;
}

interface MutateOperation {
  readonly op: 'mutate';
  readonly table: string;
  readonly where: readonly OvsdbCondition[];
  readonly mutations: readonly OvsdbMutation[];
}

interface DeleteOperation {
  readonly op: 'delete';
  readonly table: string;
  readonly where: readonly OvsdbCondition[];
}

/** Refuses the transaction unless the rows are, or are not, as told. It never waits. */
interface WaitOperation {
  readonly op: 'wait';
  readonly table: string;
  readonly where: readonly OvsdbCondition[];
  readonly columns: readonly string[];
  readonly until: '==' | '!=';
  readonly rows: readonly OvsdbRowValues[];
}

interface CommentOperation {
  readonly op: 'comment';
  readonly comment: string;
}

/** One step of a transaction (RFC 7047, section 5.2). There is none for locks: ovs-vswitchd has its own. */
export type OvsdbOperation =
  | InsertOperation
  | SelectOperation
  | UpdateOperation
  | MutateOperation
  | DeleteOperation
  | WaitOperation
  | CommentOperation;

/** What an operation gives: the new row's uuid, the rows as OVSDB writes them, or how many rows it was about. */
export type OvsdbResult<Operation extends OvsdbOperation> = Operation extends InsertOperation
  ? { readonly uuid: string }
  : Operation extends SelectOperation
    ? { readonly rows: readonly JsonObject[] }
    : Operation extends UpdateOperation | MutateOperation | DeleteOperation
      ? { readonly count: number }
      : Readonly<Record<string, never>>;

/** What a transaction gives: a result for each operation, in their order. */
export type OvsdbResults<Operations extends readonly OvsdbOperation[]> = {
  readonly [Index in keyof Operations]: OvsdbResult<Operations[Index]>;
};

/** The row of that uuid, as a value or in a condition on `_uuid`. */
export function rowReference(uuid: string): OvsdbReference {
  return { kind: 'uuid', uuid };
}

/** The row that an insert of the same transaction makes under this `uuidName`. */
export function namedReference(name: string): OvsdbReference {
  return { kind: 'named-uuid', name };
}
