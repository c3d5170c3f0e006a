import { celTypeOf, CostBudget, type CelType } from '@smalt/cel';
import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import type { FieldError, Schema } from '@smalt/resource';

import { compileRule } from './compiled-rule.ts';
import type { Correlation } from './correlation.ts';
import { childPath } from './field-path.ts';
import { ListMapIndex } from './list-map-index.ts';
import { RuleRun } from './rule-run.ts';

/** Evaluates all rules of a schema on an object, and on the old one where a rule asks for it. */
export type CheckRules = (
  object: JsonObject,
  old: JsonObject | undefined,
  correlation: Correlation | undefined,
) => readonly FieldError[];

/** Evaluates the rules for a value and for what is inside it. `old` is undefined where there is none. */
type CheckValue = (value: JsonValue, old: JsonValue | undefined, path: string, run: RuleRun) => void;

/** Makes one function of all rules of the schema of a resource; nothing when there are none. */
export function compileRules(schema: Schema): CheckRules | undefined {
  const check = compileValue(schema, true);
  if (check === undefined) return undefined;
  return (object, old, correlation) => {
    const run = new RuleRun(new CostBudget(), correlation);
    check(object, old, '', run);
    return run.errors;
  };
}

/** The same for a part of a schema, whose values stand at a path. */
export function compileRulesAt(
  schema: Schema,
  isRoot: boolean,
): ((value: JsonValue, old: JsonValue | undefined, path: string) => readonly FieldError[]) | undefined {
  const check = compileValue(schema, isRoot);
  if (check === undefined) return undefined;
  return (value, old, path) => {
    const run = new RuleRun(new CostBudget(), undefined);
    check(value, old, path, run);
    return run.errors;
  };
}

function compileValue(schema: Schema, isRoot: boolean): CheckValue | undefined {
  const checkSelf = compileSelf(schema, isRoot);
  const checkItems = compileItems(schema);
  const checkFields = compileFields(schema);
  if (checkSelf === undefined && checkItems === undefined && checkFields === undefined) return undefined;

  return (value, old, path, run) => {
    if (value === null || run.isSpent) return;
    if (checkSelf !== undefined) checkSelf(value, old ?? undefined, path, run);
    if (typeof value !== 'object' || run.isSpent) return;
    if (isJsonObject(value)) checkFields?.(value, old, path, run);
    else checkItems?.(value, old, path, run);
  };
}

function compileSelf(schema: Schema, isRoot: boolean): CheckValue | undefined {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return undefined;
  const type: CelType | undefined = celTypeOf(schema, { isRoot });
  if (type === undefined) {
    const problem = 'rule compiler initialization error: failed to convert to declType for CEL validation rules';
    return (_value, _old, path, run) => run.refuse(schema, path, problem);
  }
  const compiled = rules.map((rule) => compileRule(rule, schema, type));
  return (value, old, path, run) => {
    for (const rule of compiled) {
      if (run.isSpent) return;
      run.evaluate(rule, schema, path, { value, old });
    }
  };
}

function compileChild(schema: Schema): CheckValue | undefined {
  return compileValue(schema, schema['x-kubernetes-embedded-resource'] === true);
}

function compileItems(schema: Schema): CheckValue | undefined {
  const check = schema.items === undefined ? undefined : compileChild(schema.items);
  if (check === undefined) return undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const isMap = schema['x-kubernetes-list-type'] === 'map';
  return (value, old, path, run) => {
    if (!Array.isArray(value)) return;
    const list: readonly JsonValue[] = value;
    // Only the items of a list-map can be told apart, so only they have an old value.
    const oldItems = isMap && Array.isArray(old) ? new ListMapIndex(old, keys) : undefined;
    for (const [index, item] of list.entries()) {
      run.enter(index, () => check(item, oldItems?.find(item), `${path}[${index}]`, run));
    }
  };
}

function compileFields(schema: Schema): CheckValue | undefined {
  const checks = new Map<string, CheckValue>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const check = compileChild(property);
    if (check !== undefined) checks.set(name, check);
  }
  const { additionalProperties } = schema;
  const other = typeof additionalProperties === 'object' ? compileChild(additionalProperties) : undefined;
  if (checks.size === 0 && other === undefined) return undefined;
  return (value, old, path, run) => {
    if (!isJsonObject(value)) return;
    const oldFields: JsonObject = isJsonObject(old) ? old : {};
    for (const name in value) {
      const own = checks.get(name);
      const check = own ?? other;
      if (check === undefined) continue;
      const before = Object.hasOwn(oldFields, name) ? oldFields[name] : undefined;
      const place = own === undefined ? `${path}[${name}]` : childPath(path, name);
      run.enter(name, () => check(value[name] ?? null, before, place, run));
    }
  };
}
