import { CallersError } from '@smalt/kubernetes-callers';

import { HaServiceError, type HaServiceErrorCode } from '../ha-service-error.ts';

/** An answer that says what is wrong, as of RFC 9457. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly field?: string;
  readonly requestId: string;
}

const STATUS: Readonly<Record<HaServiceErrorCode, number>> = {
  'bad-settings': 500,
  'unreadable-file': 500,
  'missing-definitions': 500,
  'login-refused': 500,
  'cannot-listen': 500,
  'lead-lost': 503,
  deadline: 503,
  'invalid-request': 422,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-many-requests': 429,
  unavailable: 503,
};

/** Puts an error into the words of an answer. What it does not know is told without details: they are in the log. */
export function problemOf(error: unknown, requestId: string): Problem {
  if (error instanceof HaServiceError) {
    const { code, message, field } = error;
    return problem(code, STATUS[code], message, { requestId, ...(field === undefined ? {} : { field }) });
  }
  if (error instanceof CallersError) return problem(error.code, STATUS[error.code], error.message, { requestId });
  const validation = validationOf(error);
  if (validation !== undefined)
    return problem('invalid-request', 400, validation.detail, { requestId, ...validation.at });
  const status = clientStatusOf(error);
  if (status !== undefined) return problem('invalid-request', status, messageFor(error), { requestId });
  if (isLate(error)) {
    return problem('unavailable', 503, 'it took too long: what it needs is slow or away; try again', { requestId });
  }
  return problem('unavailable', 503, `it could not be done now: try again; the log has request ${requestId}`, {
    requestId,
  });
}

function problem(
  code: HaServiceErrorCode,
  status: number,
  detail: string,
  rest: { readonly requestId: string; readonly field?: string },
): Problem {
  return { type: `urn:smalt:ha:${code}`, title: code.replaceAll('-', ' '), status, detail, ...rest };
}

interface Validation {
  readonly detail: string;
  readonly at: { readonly field?: string };
}

/** What the framework says of a request that does not fit the schema. */
function validationOf(error: unknown): Validation | undefined {
  if (!(error instanceof Error) || !('validation' in error) || !Array.isArray(error.validation)) return undefined;
  const first: unknown = error.validation[0];
  const path = textOf(first, 'instancePath').slice(1).replaceAll('/', '.');
  const params = typeof first === 'object' && first !== null && 'params' in first ? first.params : undefined;
  // Queries are checked by one library, bodies by another; each has its own words for it.
  const names = ['missingProperty', 'additionalProperty', 'requiredProperties', 'additionalProperties'];
  const missing = names.map((name) => textOf(params, name)).find((text) => text !== '') ?? '';
  const field = [path, missing].filter((part) => part !== '').join('.');
  const detail = `${error.message}; see /api/v1/openapi.json for what it may be`;
  return { detail, at: field === '' ? {} : { field } };
}

function textOf(value: unknown, name: string): string {
  const found: unknown = typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : '';
  const text: unknown = Array.isArray(found) ? found[0] : found;
  return typeof text === 'string' ? text : '';
}

/** The status of an error of the framework that the caller has made, such as a body that is too long. */
function clientStatusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return undefined;
  return error.statusCode >= 400 && error.statusCode < 500 ? error.statusCode : undefined;
}

function messageFor(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isLate(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
