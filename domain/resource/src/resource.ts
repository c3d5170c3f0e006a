import type { JsonObject } from '@smalt/json';

import type { FieldError } from './field-error.ts';
import type { Schema } from './schema.ts';

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** One kind of object in one version, as an API server serves it. Built-in kinds and custom ones look the same from here. */
export interface Resource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly isNamespaced: boolean;
  readonly verbs: readonly Verb[];
  readonly isBuiltIn: boolean;
  /** Of the whole object, metadata included. */
  readonly schema: Schema;
  readonly columns: readonly Column[];
  /** Field selectors beyond metadata.name and metadata.namespace. */
  readonly selectableFields: ReadonlyMap<string, (object: JsonObject) => string>;
  readonly strategy: Strategy;
  /**
   * Loads what the strategy works with; only then the strategy may be used. Left out where nothing is to be loaded, and
   * undefined as soon as everything is there.
   */
  readonly load?: () => Promise<void> | undefined;
  /** Whether `status` is a subresource: then the main endpoint ignores status, and the other one everything else. */
  readonly hasStatus: boolean;
  readonly scale?: ScaleMapping;
  /** Further subresources that are served by code of their own, such as `log`, `binding`, `token`. */
  readonly otherSubresources: readonly OtherSubresource[];
  /** Of a custom kind that is declared in several versions; left out where there is one. */
  readonly versions?: DeclaredVersions;
}

/** The versions of a custom kind, between which nothing but the apiVersion is converted. */
export interface DeclaredVersions {
  /** The apiVersion that objects are stored in, whichever they are written in. */
  readonly stored: string;
  /** All by apiVersion, also those that are not served: an object stays in the one it was stored in until it is written again. */
  readonly all: ReadonlyMap<string, Resource>;
}

/** How a kind treats an object on its way into the store. All pure; none changes its arguments. */
export interface Strategy {
  /** Fills in defaults. Also runs on what was stored before a default was declared. */
  default(object: JsonObject): JsonObject;
  /** Drops fields that the schema does not know. Returns the paths of what was dropped, for field validation. */
  prune(object: JsonObject): { readonly object: JsonObject; readonly unknownFields: readonly string[] };
  /** Sets what only the server may set on a new object, such as an initial status. Metadata is not its concern. */
  prepareForCreate(object: JsonObject): JsonObject;
  /** Carries over what a writer may not change. */
  prepareForUpdate(object: JsonObject, old: JsonObject): JsonObject;
  validate(object: JsonObject): readonly FieldError[];
  validateUpdate(object: JsonObject, old: JsonObject): readonly FieldError[];
  /** Validates a write to the status subresource. */
  validateStatusUpdate(object: JsonObject, old: JsonObject): readonly FieldError[];
  /** Warnings to the writer, one line each. */
  warnings(object: JsonObject): readonly string[];
}

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description: string;
  /** 0 is always shown, more only with `-o wide`. */
  readonly priority: number;
  /** The cell; null is shown as nothing. `now` is there for ages. */
  cell(object: JsonObject, now: Date): string | number | boolean | null;
}

export interface ScaleMapping {
  /** Each a path of names, such as ['spec', 'replicas']. */
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  readonly labelSelector?: readonly string[];
}

export interface OtherSubresource {
  readonly name: string;
  /** The kind it takes and answers with. */
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly verbs: readonly Verb[];
}
