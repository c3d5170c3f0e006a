import { isJsonObject, JsonError, parseJson } from '@smalt/json';
import type { Status } from '@smalt/kubernetes';

import { KubeError, type KubeErrorCode } from './kube-error.ts';

const CODE_OF_HTTP_STATUS = new Map<number, KubeErrorCode>([
  [400, 'bad-request'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [405, 'unsupported'],
  [406, 'unsupported'],
  [408, 'timeout'],
  [409, 'conflict'],
  [410, 'expired'],
  [415, 'unsupported'],
  [422, 'invalid'],
  [429, 'too-many-requests'],
  [504, 'timeout'],
]);

const MOST_TEXT = 500;

/** Makes an error of an answer that is not a success. */
export function answerError(what: string, httpStatus: number, body: string, retryAfterMs?: number): KubeError {
  const status = readStatus(body);
  const message =
    status?.message ?? readDetail(body) ?? (body.slice(0, MOST_TEXT).trim() || `HTTP status ${httpStatus}`);
  return new KubeError(codeOf(httpStatus, status), `${what}: ${message}`, { status, httpStatus, retryAfterMs });
}

/** Makes an error of a Status that came in an event of a watch. */
export function statusError(what: string, status: Status): KubeError {
  return new KubeError(codeOf(status.code, status), `${what}: ${status.message ?? status.reason ?? 'no message'}`, {
    status,
    httpStatus: status.code,
  });
}

function codeOf(httpStatus: number, status: Status | undefined): KubeErrorCode {
  if (status?.reason === 'AlreadyExists') return 'already-exists';
  const isApplyConflict = status?.details?.causes?.some(({ reason }) => reason === 'FieldManagerConflict') ?? false;
  if (isApplyConflict) return 'apply-conflict';
  return CODE_OF_HTTP_STATUS.get(httpStatus) ?? 'server';
}

function readStatus(body: string): Status | undefined {
  const value = readJson(body);
  return isStatus(value) ? value : undefined;
}

/** What services beside the API server say is wrong, as of RFC 9457. */
function readDetail(body: string): string | undefined {
  const value = readJson(body);
  return isJsonObject(value) && typeof value['detail'] === 'string' ? value['detail'] : undefined;
}

function readJson(body: string): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** Whether an answer or the object of an event is a Status. */
export function isStatus(value: unknown): value is Status {
  return isJsonObject(value) && value['kind'] === 'Status' && value['apiVersion'] === 'v1';
}
