import type { JsonObject } from '@smalt/json';
import type { Schema, ValidationRule } from '@smalt/resource';
import type { TSchema } from 'typebox';

import type { NamedSchema } from './named-schema.ts';

/** A column of `kubectl get`. Those with a priority above 0 are shown with `-o wide` only. */
export interface KindColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly priority?: number;
  readonly description?: string;
  readonly format?: string;
}

/** One version of a kind. All versions of a kind have the same schema. */
export interface KindVersion {
  readonly name: string;
  /** What a client is told that still uses this version. */
  readonly deprecationWarning?: string;
}

/** What the conditions of a kind mean, for the reference. */
export interface ConditionMeaning {
  readonly type: string;
  readonly meaning: string;
}

/** Paths into the object, such as `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

export interface KindDeclaration {
  readonly group: string;
  /** The first one is stored. */
  readonly versions: readonly [KindVersion, ...KindVersion[]];
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: 'Cluster' | 'Namespaced';
  readonly description: string;
  readonly columns: readonly KindColumn[];
  readonly spec: TSchema;
  readonly status?: TSchema;
  /** The fields beside `apiVersion` and `kind` that every object must have. */
  readonly required?: readonly ('metadata' | 'spec' | 'status')[];
  /** Whether `status` is a subresource. */
  readonly hasStatus: boolean;
  readonly scale?: ScalePaths;
  readonly selectableFields?: readonly string[];
  /** Rules over the whole object. */
  readonly rules?: readonly ValidationRule[];
  readonly conditions?: readonly ConditionMeaning[];
}

/** A kind, declared once: what Kubernetes is told about it and what people read about it come from here. */
export interface Kind extends KindDeclaration {
  readonly singular: string;
  readonly listKind: string;
  /** Of the whole object, with the names of the shapes. */
  readonly namedSchema: NamedSchema;
  /** Of the whole object. */
  readonly schema: Schema;
  /** The CustomResourceDefinition. */
  crd(): JsonObject;
}
