import type { Status } from '@smalt/kubernetes';
import { CallersError, type CallersErrorCode } from '@smalt/kubernetes-callers';
import { isWebSocketError } from '@smalt/websocket';

import { isVirtHandlerError, type VirtHandlerErrorCode } from '../../virt-handler-error.ts';

type AnsweredCode =
  | Extract<
      VirtHandlerErrorCode,
      'bad-request' | 'not-found' | 'wrong-method' | 'conflict' | 'too-many-requests' | 'guest-failed' | 'unavailable'
    >
  | CallersErrorCode;

const ANSWERS: Readonly<Record<AnsweredCode, readonly [number, string]>> = {
  'bad-request': [400, 'BadRequest'],
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  'not-found': [404, 'NotFound'],
  'wrong-method': [405, 'MethodNotAllowed'],
  conflict: [409, 'Conflict'],
  'too-many-requests': [429, 'TooManyRequests'],
  'guest-failed': [500, 'InternalError'],
  unavailable: [503, 'ServiceUnavailable'],
};
const RETRY_SECONDS = 2;

/** Puts a failure into the words of the Kubernetes API. What it does not know is told without details: they are in the log. */
export function failureStatus(error: unknown, requestId: string): Status {
  if (error instanceof CallersError) return statusOf(ANSWERS[error.code], error.message);
  if (isVirtHandlerError(error)) {
    const known = Object.entries(ANSWERS).find(([code]) => code === error.code)?.[1];
    return statusOf(known ?? ANSWERS['guest-failed'], error.message);
  }
  if (isWebSocketError(error, 'bad-handshake')) return statusOf(ANSWERS['bad-request'], error.message);
  if (error instanceof Error && error.name === 'TimeoutError') {
    return statusOf(ANSWERS.unavailable, 'it took too long: libvirt, the guest or the cluster is slow; try again');
  }
  return statusOf(ANSWERS['guest-failed'], `it could not be done: the log of the handler has request ${requestId}`);
}

function statusOf([code, reason]: readonly [number, string], message: string): Status {
  const isPassing = code === 429 || code === 503;
  return {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(isPassing ? { details: { retryAfterSeconds: RETRY_SECONDS } } : {}),
    code,
  };
}
