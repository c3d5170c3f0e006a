import { isJsonObject, type JsonObject } from '@smalt/json';
import { nearestName } from '@smalt/service-runtime';

import { OvsAgentError, type FieldProblem } from '../../ovs-agent-error.ts';
import type { FieldCheck } from './field-checks.ts';

/** The fields that a request may have, and what each must be. */
export type FieldChecks = Readonly<Record<string, FieldCheck>>;

/** Every problem of a body: fields that nobody knows, that are missing or that are wrong. `at` names where the fields are. */
export function fieldProblems(
  body: JsonObject,
  checks: FieldChecks,
  { required = [], at = '' }: { readonly required?: readonly string[]; readonly at?: string } = {},
): readonly FieldProblem[] {
  const known = Object.keys(checks);
  const given = Object.entries(body).flatMap(([name, value]) => {
    const field = `${at}${name}`;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) return [{ field, message: unknownField(name, known) }];
    const message = check(value);
    return message === undefined ? [] : [{ field, message }];
  });
  const missing = required.filter((name) => !Object.hasOwn(body, name));
  return [...missing.map((name) => ({ field: `${at}${name}`, message: 'is missing' })), ...given];
}

/** A body that is an object, or an error. */
export function requireObject(body: unknown): JsonObject {
  if (isJsonObject(body)) return body;
  throw new OvsAgentError('invalid-request', 'the body must be an object in JSON: see /openapi.json');
}

/** Throws an error that names all fields that are wrong; does nothing where none is. */
export function requireNone(problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return;
  const text = problems.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new OvsAgentError('invalid-request', text, { problems });
}

function unknownField(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? `is unknown; there are ${known.join(', ')}` : `is unknown; did you mean ${nearest}?`;
}
