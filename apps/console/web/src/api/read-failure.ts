import type { StatusCause } from '@smalt/kubernetes';

import { ApiError, type ApiErrorCode } from './api-error.ts';

/**
 * The error of an answer that is not a success. Its body may be a Status, the console's own `{"message"}`, a problem of RFC 9457,
 * or anything.
 */
export function readFailure(status: number, body: string): ApiError {
  const said = parseOrNothing(body);
  const message = [said['message'], said['detail']].find(isWords) ?? plainWords(status);
  return new ApiError({ code: codeOf(status), status, message, causes: causesOf(said) });
}

function codeOf(status: number): ApiErrorCode {
  switch (status) {
    case 400:
    case 422:
      return 'invalid';
    case 401:
      return 'signed-out';
    case 403:
      return 'refused';
    case 404:
      return 'not-found';
    case 409:
      return 'conflict';
    case 429:
      return 'busy';
    case 502:
    case 503:
    case 504:
      return 'unreachable';
    default:
      return 'failed';
  }
}

function causesOf(said: Readonly<Record<string, unknown>>): readonly StatusCause[] {
  const details = isRecord(said['details']) ? said['details'] : {};
  const causes: readonly unknown[] = Array.isArray(details['causes']) ? details['causes'] : [];
  const problems: readonly unknown[] = Array.isArray(said['problems']) ? said['problems'] : [];
  const own = typeof said['field'] === 'string' ? [{ field: said['field'], message: said['message'] }] : [];
  return [...causes, ...problems, ...own].filter(isRecord).map(({ field, message, reason }) => ({
    ...(typeof field === 'string' ? { field } : {}),
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
  }));
}

function isWords(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function plainWords(status: number): string {
  return status >= 500 ? `The server has a problem (HTTP ${status})` : `The server refused the call (HTTP ${status})`;
}

function parseOrNothing(body: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body);
    return isRecord(parsed) ? parsed : {};
  } catch {
    // A proxy in between answers in HTML; the code says enough.
    return {};
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
