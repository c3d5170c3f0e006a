import type { JsonValue } from '@smalt/json';
import { goQuote, invalid, type Schema } from '@smalt/resource';

import type { Check, Finding, ValidationRun } from './validation-run.ts';

type Checks = readonly Check<JsonValue>[];

/** Checks `anyOf`, `oneOf`, `allOf` and `not`; nothing when a schema has none of them. */
export function compileAlternatives(
  schema: Schema,
  compile: (schema: Schema) => Check<JsonValue>,
): Check<JsonValue> | undefined {
  const anyOf = (schema.anyOf ?? []).map(compile);
  const oneOf = (schema.oneOf ?? []).map(compile);
  const allOf = (schema.allOf ?? []).map(compile);
  const not = schema.not === undefined ? undefined : compile(schema.not);
  if (anyOf.length + oneOf.length + allOf.length === 0 && not === undefined) return undefined;

  return (value, run) => {
    let count = 1;
    if (anyOf.length > 0) count += checkAnyOf(anyOf, value, run);
    if (oneOf.length > 0) count += checkOneOf(oneOf, value, run);
    if (allOf.length > 0) count += checkAllOf(allOf, value, run);
    if (not !== undefined && run.try(value, not).findings.length === 0) {
      reportOverall(run, 'must not validate the schema (not)');
    }
    return count;
  };
}

interface Attempt {
  readonly count: number;
  readonly findings: readonly Finding[];
}

function checkAnyOf(checks: Checks, value: JsonValue, run: ValidationRun): number {
  let best: Attempt | undefined;
  for (const check of checks) {
    const attempt = run.try(value, check);
    if (attempt.findings.length === 0) return attempt.count;
    if (best === undefined || attempt.count > best.count) best = attempt;
  }
  reportOverall(run, 'must validate at least one schema (anyOf)');
  return keep(best, run);
}

function checkOneOf(checks: Checks, value: JsonValue, run: ValidationRun): number {
  const attempts = checks.map((check) => run.try(value, check));
  const valid = attempts.filter((attempt) => attempt.findings.length === 0);
  if (valid.length === 1) return valid[0]?.count ?? 0;
  const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  reportOverall(run, `must validate one and only one schema (oneOf). ${found}`);
  if (valid.length > 0) return 0;
  return keep(
    attempts.reduce((best, attempt) => (attempt.count > best.count ? attempt : best)),
    run,
  );
}

function checkAllOf(checks: Checks, value: JsonValue, run: ValidationRun): number {
  let count = 0;
  let valid = 0;
  for (const check of checks) {
    const attempt = run.try(value, check);
    if (attempt.findings.length === 0) valid++;
    count += keep(attempt, run);
  }
  if (valid < checks.length) {
    reportOverall(run, `must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
  }
  return count;
}

function keep(attempt: Attempt | undefined, run: ValidationRun): number {
  run.keep(attempt?.findings ?? []);
  return attempt?.count ?? 0;
}

function reportOverall(run: ValidationRun, words: string): void {
  const text = `${goQuote(run.path())} ${words}`;
  run.report(text, invalid(run.rootField(), '', text));
}
