import { STATUS_CODES } from 'node:http';

import type { Answer } from './router.ts';
import type { SimulatorError } from './simulator-error.ts';

/** The words that Nova has for kinds of faults. */
const NOVA_KINDS = new Map([
  [400, 'badRequest'],
  [403, 'forbidden'],
  [404, 'itemNotFound'],
  [409, 'conflictingRequest'],
  [413, 'overLimit'],
  [429, 'overLimit'],
]);

const PLACEMENT_INTRODUCTIONS = new Map([
  [400, 'The server could not comply with the request since it is either malformed or otherwise incorrect.'],
  [403, 'Access was denied to this resource.'],
  [404, 'The resource could not be found.'],
  [409, 'There was a conflict when trying to complete your request.'],
]);

type Refusal = Pick<SimulatorError, 'httpStatus' | 'message' | 'faultCode'>;

/** A refusal in the shape that the service has for it. */
export function errorAnswer(service: string, refusal: Refusal, requestId: string): Answer {
  const { httpStatus: status, message } = refusal;
  const title = STATUS_CODES[status] ?? 'Error';
  if (status === 401 || service === 'identity') return { status, body: { error: { code: status, title, message } } };
  if (service === 'placement') return placementAnswer(refusal, title, requestId);
  if (service === 'image') return { status, body: { message, code: `${status} ${title}`, title } };
  if (service === 'network') return { status, body: { NeutronError: { type: title, message, detail: '' } } };
  return { status, body: { [NOVA_KINDS.get(status) ?? 'computeFault']: { code: status, message } } };
}

/** The answer to a path that a service does not know. */
export function noRouteAnswer(): Answer {
  const message = 'The resource could not be found.<br /><br />\n\n\n';
  return { status: 404, body: { message, code: '404 Not Found', title: 'Not Found' } };
}

function placementAnswer({ httpStatus, message, faultCode }: Refusal, title: string, requestId: string): Answer {
  const introduction = PLACEMENT_INTRODUCTIONS.get(httpStatus) ?? 'The request failed.';
  const error = {
    status: httpStatus,
    title,
    detail: `${introduction}\n\n ${message}  `,
    code: faultCode ?? 'placement.undefined_code',
    request_id: requestId,
  };
  return { status: httpStatus, body: { errors: [error] } };
}
