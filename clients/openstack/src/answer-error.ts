import { isJsonArray, isJsonObject, jsonField, JsonError, parseJson, type JsonObject } from '@smalt/json';

import type { ServiceName } from './cloud-config.ts';
import { OpenStackError, type OpenStackErrorCode } from './openstack-error.ts';

const CODE_OF_HTTP_STATUS = new Map<number, OpenStackErrorCode>([
  [400, 'bad-request'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [405, 'bad-request'],
  [406, 'microversion'],
  [408, 'timeout'],
  [409, 'conflict'],
  [410, 'not-found'],
  [413, 'too-large'],
  [415, 'bad-request'],
  [422, 'bad-request'],
  [429, 'too-many-requests'],
  [502, 'unavailable'],
  [503, 'unavailable'],
  [504, 'timeout'],
]);

const MOST_TEXT = 500;

/** What a service says about a failure, whatever the shape it says it in. */
interface Fault {
  /** What kind of fault it is, in the words of the service. */
  readonly kind: string;
  readonly message: string | undefined;
  /** Whether it is about the request as such, before any part of the service has looked at it. */
  readonly isOfRouter?: boolean | undefined;
}

export interface FailedAnswer {
  /** The call, such as `GET /servers/{server}`. */
  readonly what: string;
  readonly service: ServiceName | 'identity';
  readonly httpStatus: number;
  readonly body: string;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
}

/** Makes an error of an answer that is not a success. */
export function answerError(answer: FailedAnswer): OpenStackError {
  const { what, httpStatus, body, requestId, retryAfterMs } = answer;
  const fault = readFault(body);
  const said = fault?.message ?? body.slice(0, MOST_TEXT);
  const message = oneLine(said) || `HTTP status ${httpStatus}`;
  const code = httpStatus === 404 ? missingCode(answer.service, fault) : codeOf(httpStatus, fault);
  return new OpenStackError(code, `${what}: ${message}${requestId === undefined ? '' : ` (${requestId})`}`, {
    httpStatus,
    requestId,
    retryAfterMs,
  });
}

function codeOf(httpStatus: number, fault: Fault | undefined): OpenStackErrorCode {
  const code = CODE_OF_HTTP_STATUS.get(httpStatus);
  if (code === undefined) return httpStatus >= 300 && httpStatus < 400 ? 'bad-answer' : otherCode(httpStatus);
  const { kind = '', message = '' } = fault ?? {};
  // Nova answers 403, Cinder 413 and Neutron 409 when a project has used all it may.
  if (code === 'forbidden' && /quota exceeded|exceeds? .*quota/i.test(message)) return 'quota';
  if (code === 'too-large' && kind === 'overLimit') return 'quota';
  if (code !== 'conflict') return code;
  if (kind === 'OverQuota') return 'quota';
  if (kind === 'placement.concurrent_update') return 'concurrent-update';
  return /inuse$/i.test(kind) ? 'in-use' : 'conflict';
}

/**
 * A proxy that has lost its service answers 404 too, and a path that the service does not know is no missing thing
 * either: only the service itself can say that something is gone. Glance says it in the words of its router.
 */
function missingCode(service: FailedAnswer['service'], fault: Fault | undefined): OpenStackErrorCode {
  if (service === 'image') return 'not-found';
  if (fault === undefined) return 'bad-answer';
  return fault.isOfRouter === true ? 'bad-request' : 'not-found';
}

function otherCode(httpStatus: number): OpenStackErrorCode {
  return httpStatus >= 500 ? 'server' : 'bad-request';
}

function readFault(body: string): Fault | undefined {
  const value = parseBody(body);
  if (value === undefined) return undefined;
  const errors = jsonField(value, 'errors');
  if (isJsonArray(errors)) return placementFault(errors[0]);
  const ownMessage = textOf(value, 'message');
  if (ownMessage !== undefined) return { kind: textOf(value, 'title') ?? '', message: ownMessage, isOfRouter: true };
  const [kind = '', inner] = Object.entries(value)[0] ?? [];
  if (typeof inner === 'string') return { kind, message: inner };
  if (!isJsonObject(inner)) return undefined;
  return { kind: textOf(inner, 'type') ?? kind, message: textOf(inner, 'message') };
}

function placementFault(error: unknown): Fault | undefined {
  if (!isJsonObject(error)) return undefined;
  return { kind: textOf(error, 'code') ?? '', message: textOf(error, 'detail') ?? textOf(error, 'title') };
}

function parseBody(body: string): JsonObject | undefined {
  try {
    const value = parseJson(body);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    // Proxies in front of a service answer with HTML, or with nothing.
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

function textOf(object: JsonObject, name: string): string | undefined {
  const value = jsonField(object, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function oneLine(text: string): string {
  return text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
