import type { JsonValue } from '@smalt/json';

/** What a field can hold besides lists, maps and messages. */
export type ScalarName =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'quantity'
  | 'intOrString'
  | 'time'
  | 'microtime'
  | 'raw'
  | 'fields'
  | 'json'
  | 'schemaOrArray'
  | 'schemaOrBool'
  | 'schemaOrStrings';

/** The type of a field. `goName` is how an error calls it. */
export type FieldType =
  | {
      readonly kind: 'scalar';
      readonly scalar: ScalarName;
      readonly goName: string;
      /** Where the words that are allowed stand: the package and the name of an enumeration. */
      readonly enumeration?: { readonly package: string; readonly name: string };
    }
  /** `isWrapped`: on the wire the items stand in a message of their own, which is how a list can be a map's value. */
  | { readonly kind: 'list'; readonly items: FieldType; readonly goName: string; readonly isWrapped: boolean }
  | { readonly kind: 'map'; readonly values: FieldType; readonly goName: string }
  | { readonly kind: 'message'; readonly package: string; readonly name: string; readonly goName: string };

/** One field, as a line of a `.kinds` file declares it. */
export interface Field {
  /** The name in JSON; empty for a message whose fields JSON shows in place. */
  readonly name: string;
  /** The number in protobuf; 0 for what protobuf keeps outside the message. */
  readonly number: number;
  readonly type: FieldType;
  /** Whether the field can be told from its zero value when it is absent. */
  readonly isPointer: boolean;
  /** Whether JSON shows the field even when it holds nothing. */
  readonly isAlwaysShown: boolean;
  readonly isRequired: boolean;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  readonly mapType?: 'granular' | 'atomic';
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  readonly default?: JsonValue;
}

/** A message: the fields on the wire, and the same with those of inlined messages put in their place for JSON. */
export interface MessageType {
  readonly package: string;
  readonly name: string;
  readonly isAtomic: boolean;
  /** Whether objects of this type say what they are: `apiVersion` and `kind` stand outside of the message. */
  readonly isKind: boolean;
  readonly fields: readonly Field[];
  readonly byNumber: ReadonlyMap<number, Field>;
  readonly shown: readonly Field[];
  readonly byName: ReadonlyMap<string, Field>;
  readonly alwaysShown: readonly Field[];
}

/** A package of kinds as the generator writes it; the text of a type is read when it is first asked for. */
export interface PackageSource {
  readonly key: string;
  readonly component: string;
  readonly group: string;
  readonly version: string;
  readonly kinds: readonly string[];
  readonly enumerations: Readonly<Record<string, readonly string[]>>;
  readonly types: Readonly<Record<string, string>>;
}
