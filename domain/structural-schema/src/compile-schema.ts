import type { JsonObject, JsonValue } from '@smalt/json';
import { invalid, type FieldError, type FieldErrorReason, type Schema } from '@smalt/resource';

import { compileEmbeddedCheck } from './check-embedded.ts';
import { compileListTypeCheck } from './check-list-types.ts';
import { compileCheck } from './compile-check.ts';
import { compileRules, type CheckRules } from './compile-rules.ts';
import type { Visit } from './compile-visit.ts';
import { Correlation, schemaOfField } from './correlation.ts';
import { compileFill, type Fill } from './fill-defaults.ts';
import { compilePrune } from './prune.ts';
import { ValidationRun, type Check } from './validation-run.ts';

const BLOCKING: ReadonlySet<FieldErrorReason> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

export interface ValidateOptions {
  /** The object that is to be replaced. What did not change since then is not held against the writer. */
  readonly old?: JsonObject;
  /** Whether only the status is written. */
  readonly isStatus?: boolean;
  /** What was found elsewhere, to stand before and after what the schema finds; rules run only when nothing is missing. */
  readonly before?: readonly FieldError[];
  readonly after?: readonly FieldError[];
}

/** A schema made ready for work. All that it does is pure; what it returns shares what did not change. */
export interface CompiledSchema {
  /** Drops fields that the schema does not know, and tells which. */
  prune(object: JsonObject): { readonly object: JsonObject; readonly unknownFields: readonly string[] };
  /** Fills in defaults, also in what the defaults themselves bring. */
  default(object: JsonObject): JsonObject;
  validate(object: JsonObject, options?: ValidateOptions): readonly FieldError[];
}

/** Makes a structural schema ready for work, once for all objects of a kind. */
export function compileSchema(schema: Schema): CompiledSchema {
  const prune = compilePrune(schema, true);
  const fill = compileFill(schema);
  const validator = new Validator(schema);
  return {
    prune: (object) => {
      const unknownFields: string[] = [];
      const pruned = asObject(prune(object, '', unknownFields), object);
      return { object: pruned, unknownFields: unknownFields.toSorted() };
    },
    default: (object) => fillObject(fill, object),
    validate: (object, options = {}) => validator.validate(object, options),
  };
}

class Validator {
  readonly #schema: Schema;
  readonly #statusSchema: Schema | undefined;
  readonly #check: Check<JsonValue>;
  readonly #checkStatus: Check<JsonValue> | undefined;
  readonly #checkEmbedded: Visit | undefined;
  readonly #checkListTypes: Visit | undefined;
  readonly #checkRules: CheckRules | undefined;

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#statusSchema = schemaOfField(schema, 'status');
    this.#check = compileCheck(schema);
    this.#checkStatus = this.#statusSchema === undefined ? undefined : compileCheck(this.#statusSchema);
    this.#checkEmbedded = compileEmbeddedCheck(schema);
    this.#checkListTypes = compileListTypeCheck(schema);
    this.#checkRules = compileRules(schema);
  }

  validate(object: JsonObject, options: ValidateOptions): FieldError[] {
    const errors: FieldError[] = [...(options.before ?? [])];
    errors.push(
      ...(options.isStatus === true ? this.#statusErrors(object, options.old) : this.#errors(object, options.old)),
    );
    errors.push(...(options.after ?? []));
    if (options.isStatus !== true) this.#checkEmbedded?.(object, '', errors);
    errors.push(...this.#listErrors(object, options.old));
    if (this.#checkRules === undefined) return errors;
    if (errors.some((error) => BLOCKING.has(error.reason))) return [...errors, rulesNotChecked()];
    return [...errors, ...this.#checkRules(object, options.old, this.#correlate(object, options.old))];
  }

  #errors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
    const run = new ValidationRun('', this.#correlate(object, old));
    this.#check(object, run);
    return run.errors();
  }

  #statusErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
    const status = object['status'];
    if (this.#checkStatus === undefined || this.#statusSchema === undefined || status === undefined) return [];
    const correlation = old === undefined ? undefined : new Correlation(status, old['status'], this.#statusSchema);
    const run = new ValidationRun('status', correlation);
    this.#checkStatus(status, run);
    return run.errors();
  }

  // Lists that were wrong before they could be declared as sets or maps may stay so.
  #listErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
    const errors: FieldError[] = [];
    this.#checkListTypes?.(object, '', errors);
    if (errors.length === 0 || old === undefined) return errors;
    const oldErrors: FieldError[] = [];
    this.#checkListTypes?.(old, '', oldErrors);
    return oldErrors.length === 0 ? errors : [];
  }

  #correlate(object: JsonObject, old: JsonObject | undefined): Correlation | undefined {
    return old === undefined ? undefined : new Correlation(object, old, this.#schema);
  }
}

function rulesNotChecked(): FieldError {
  const detail =
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  return invalid('<nil>', null, detail);
}

function fillObject(fill: Fill, object: JsonObject): JsonObject {
  return asObject(fill(object), object);
}

function asObject(value: JsonValue, fallback: JsonObject): JsonObject {
  return typeof value === 'object' && value !== null && !isList(value) ? value : fallback;
}

function isList(value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] {
  return Array.isArray(value);
}
