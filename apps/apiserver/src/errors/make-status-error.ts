import type { StatusCause, StatusDetails } from '@smalt/kubernetes';
import { goQuote, invalidCauses, invalidMessage, type FieldError } from '@smalt/resource';

import { StatusError } from './status-error.ts';

/** What a message calls a resource: `machines.bench.example.dev`. Every Resource is one. */
export interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

/** What a message calls a kind: `Machine.bench.example.dev`. Every Resource is one. */
export interface KindName {
  readonly group: string;
  readonly kind: string;
}

/** `machines.bench.example.dev`, or `pods` in the core group. */
export function qualifiedName(resource: ResourceName): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}

export function notFoundError(resource: ResourceName, name: string): StatusError {
  const message = `${qualifiedName(resource)} ${goQuote(name)} not found`;
  return new StatusError({ code: 404, reason: 'NotFound', message, details: detailsOf(resource, name) });
}

/** The path leads to no resource that is served. */
export function unknownResourceError(): StatusError {
  return new StatusError({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });
}

export function alreadyExistsError(resource: ResourceName, name: string): StatusError {
  const message = `${qualifiedName(resource)} ${goQuote(name)} already exists`;
  return new StatusError({ code: 409, reason: 'AlreadyExists', message, details: detailsOf(resource, name) });
}

/** No free name was found for an object with `generateName`; the client may try again. */
export function generateNameConflictError(resource: ResourceName, name: string): StatusError {
  const message = `${qualifiedName(resource)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`;
  const details = { ...detailsOf(resource, name), retryAfterSeconds: 1 };
  return new StatusError({ code: 409, reason: 'AlreadyExists', message, details });
}

export function unauthorizedError(message = 'Unauthorized'): StatusError {
  return new StatusError({ code: 401, reason: 'Unauthorized', message });
}

/** Refuses with `<resource> "<name>" is forbidden: <why>`; an empty name is left out. */
export function forbiddenError(resource: ResourceName, name: string, why: string): StatusError {
  const subject = name === '' ? qualifiedName(resource) : `${qualifiedName(resource)} ${goQuote(name)}`;
  const message =
    resource.plural === '' && resource.group === '' ? `forbidden: ${why}` : `${subject} is forbidden: ${why}`;
  return new StatusError({ code: 403, reason: 'Forbidden', message, details: detailsOf(resource, name) });
}

/** A create in a namespace that is being deleted, with the cause that controllers look for. */
export function namespaceTerminatingError(resource: ResourceName, name: string, namespace: string): StatusError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const refusal = forbiddenError(resource, name, why);
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return new StatusError({
    code: 403,
    reason: 'Forbidden',
    message: refusal.message,
    details: { ...detailsOf(resource, name), causes: [cause] },
  });
}

export function conflictError(resource: ResourceName, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualifiedName(resource)} ${goQuote(name)}: ${why}`;
  return new StatusError({ code: 409, reason: 'Conflict', message, details: detailsOf(resource, name) });
}

/** The writer saw an older version of the object than the one it would replace. */
export function modifiedError(resource: ResourceName, name: string): StatusError {
  return conflictError(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );
}

export function applyConflictError(message: string, causes: readonly StatusCause[]): StatusError {
  return new StatusError({ code: 409, reason: 'Conflict', message, details: { causes } });
}

export function invalidError(kind: KindName, name: string, errors: readonly FieldError[]): StatusError {
  const details = { ...kindDetails(kind, name), causes: invalidCauses(errors) };
  return new StatusError({ code: 422, reason: 'Invalid', message: invalidMessage(kind, name, errors), details });
}

/** A patch that cannot be carried out on this object, such as a JSON patch whose test fails. */
export function unprocessablePatchError(options?: ErrorOptions): StatusError {
  const message = 'the server rejected our request due to an error in our request';
  return new StatusError({ code: 422, reason: 'Invalid', message, details: {} }, options);
}

/** A failure that Kubernetes does not classify: 500 with nothing but a message. */
export function unclassifiedError(message: string, options?: ErrorOptions): StatusError {
  return new StatusError({ code: 500, reason: 'Unknown', message }, options);
}

export function badRequestError(message: string, options?: ErrorOptions): StatusError {
  return new StatusError({ code: 400, reason: 'BadRequest', message }, options);
}

export function methodNotAllowedError(resource: ResourceName, action: string): StatusError {
  const message = `${action} is not supported on resources of kind ${goQuote(qualifiedName(resource))}`;
  return new StatusError({ code: 405, reason: 'MethodNotAllowed', message, details: detailsOf(resource, '') });
}

/** The verb is known, and yet this path does not take it. */
export function plainMethodNotAllowedError(): StatusError {
  const message = 'the server does not allow this method on the requested resource';
  return new StatusError({ code: 405, reason: 'MethodNotAllowed', message, details: {} });
}

export function notAcceptableError(accepted: readonly string[], target?: string): StatusError {
  const when = target === undefined ? 'accepted' : `accepted when converting to ${target}`;
  const message = `only the following media types are ${when}: ${accepted.join(', ')}`;
  return new StatusError({ code: 406, reason: 'NotAcceptable', message });
}

export function unsupportedMediaTypeError(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new StatusError({ code: 415, reason: 'UnsupportedMediaType', message });
}

/** The same from the part of Kubernetes that looks at the path before anything else. */
export function plainUnsupportedMediaTypeError(): StatusError {
  const message = '415: Unsupported Media Type';
  return new StatusError({ code: 415, reason: 'UnsupportedMediaType', message, details: {} });
}

/** What was asked for is too old. A continue token lets the client go on with an inconsistent list. */
export function expiredError(message: string, continueToken?: string): StatusError {
  const metadata = continueToken === undefined ? {} : { continue: continueToken };
  return new StatusError({ code: 410, reason: 'Expired', message, metadata });
}

export function tooManyRequestsError(
  message: string,
  retryAfterSeconds: number,
  causes?: readonly StatusCause[],
): StatusError {
  const details = { ...(causes === undefined ? {} : { causes }), ...retryAfter(retryAfterSeconds) };
  return new StatusError({ code: 429, reason: 'TooManyRequests', message, details });
}

export function requestEntityTooLargeError(why: string): StatusError {
  const message = `Request entity too large: ${why}`;
  return new StatusError({ code: 413, reason: 'RequestEntityTooLarge', message });
}

export function serverTimeoutError(resource: ResourceName, operation: string, retryAfterSeconds: number): StatusError {
  const message = `The ${operation} operation against ${qualifiedName(resource)} could not be completed at this time, please try again.`;
  const details = { ...detailsOf(resource, operation), ...retryAfter(retryAfterSeconds) };
  return new StatusError({ code: 500, reason: 'ServerTimeout', message, details });
}

export function timeoutError(why: string, retryAfterSeconds: number): StatusError {
  const details = retryAfter(retryAfterSeconds);
  return new StatusError({ code: 504, reason: 'Timeout', message: `Timeout: ${why}`, details });
}

/** The client asks for a state that lies in the future. */
export function tooLargeResourceVersionError(asked: string, current: string): StatusError {
  const cause = { reason: 'ResourceVersionTooLarge', message: 'Too large resource version' };
  return new StatusError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: { causes: [cause], retryAfterSeconds: 1 },
  });
}

export function serviceUnavailableError(message: string): StatusError {
  return new StatusError({ code: 503, reason: 'ServiceUnavailable', message });
}

export function internalServerError(why: string, options?: ErrorOptions): StatusError {
  const message = `Internal error occurred: ${why}`;
  return new StatusError(
    { code: 500, reason: 'InternalError', message, details: { causes: [{ message: why }] } },
    options,
  );
}

function detailsOf(resource: ResourceName, name: string): StatusDetails {
  return kindDetails({ group: resource.group, kind: resource.plural }, name);
}

function kindDetails(kind: KindName, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(kind.group === '' ? {} : { group: kind.group }),
    ...(kind.kind === '' ? {} : { kind: kind.kind }),
  };
}

function retryAfter(retryAfterSeconds: number): StatusDetails {
  return retryAfterSeconds > 0 ? { retryAfterSeconds } : {};
}
