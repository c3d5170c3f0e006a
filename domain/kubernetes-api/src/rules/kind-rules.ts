import type { JsonObject } from '@smalt/json';
import type { Column, FieldError } from '@smalt/resource';
import { type NameRule } from '@smalt/kubernetes';

/** What is particular about one kind. All of it is pure, and all of it may be left out. */
export interface KindRules {
  /** What objects may be called; a DNS subdomain when nothing else is said. */
  readonly nameRule?: NameRule;
  readonly columns?: readonly Column[];
  readonly selectableFields?: Readonly<Record<string, (object: JsonObject) => string>>;
  /** Whether `validate` and `validateUpdate` look after metadata and after one another themselves. */
  readonly validatesMetadata?: boolean;
  /** Whether a new object may bring its status along; otherwise it starts without one. */
  readonly keepsStatusOnCreate?: boolean;
  /** Loads what the other rules work with, where that is too much to have without need; undefined once it is there. */
  readonly load?: () => Promise<void> | undefined;
  /** Fills in what the writer left out. Runs on an object whose types are right. */
  default?(object: JsonObject): JsonObject;
  prepareForCreate?(object: JsonObject): JsonObject;
  prepareForUpdate?(object: JsonObject, old: JsonObject): JsonObject;
  /** Checks everything but metadata, on create and again on update. */
  validate?(object: JsonObject): readonly FieldError[];
  /** Checks what may not change; `validate` runs besides. */
  validateUpdate?(object: JsonObject, old: JsonObject): readonly FieldError[];
  validateStatusUpdate?(object: JsonObject, old: JsonObject): readonly FieldError[];
  warnings?(object: JsonObject): readonly string[];
}
