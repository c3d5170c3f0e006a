import { ComputeError, type ComputeErrorCode } from '@smalt/compute';
import {
  isFateUnknown,
  isNotFound,
  isOpenStackError,
  type OpenStackError,
  type OpenStackErrorCode,
} from '@smalt/openstack';

/** Whether a call changes something: if so, one that was lost on the way may have been carried out. */
export type CallKind = 'read' | 'write';

const CODES: Readonly<Record<OpenStackErrorCode, ComputeErrorCode>> = {
  aborted: 'aborted',
  'bad-answer': 'unavailable',
  'bad-argument': 'refused',
  // What is wrong with ourselves says nothing against the thing that was asked for.
  'bad-config': 'unavailable',
  'bad-request': 'refused',
  'concurrent-update': 'stale',
  conflict: 'conflict',
  connection: 'unavailable',
  forbidden: 'refused',
  'in-use': 'conflict',
  microversion: 'refused',
  'no-endpoint': 'unavailable',
  'not-found': 'not-found',
  quota: 'refused',
  server: 'unavailable',
  timeout: 'unavailable',
  'too-large': 'refused',
  'too-many-requests': 'unavailable',
  unauthorized: 'unavailable',
  unavailable: 'unavailable',
};

const NO_TARGET = /no valid host|no allocation candidates/i;

/** Makes a call to OpenStack; what fails there throws a `ComputeError`, whose message is what `say` makes of it. */
export async function asComputeErrors<T>(
  kind: CallKind,
  call: () => Promise<T>,
  say?: (message: string) => string,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toComputeError(error, kind, say);
  }
}

/** The same for a thing that may be gone, which is undefined then. */
export async function unlessGone<T>(
  kind: CallKind,
  call: () => Promise<T>,
  say?: (message: string) => string,
): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw toComputeError(error, kind, say);
  }
}

/** The error of the port for one of OpenStack; others, which are mistakes in the program, are left alone. */
export function toComputeError(
  error: unknown,
  kind: CallKind,
  say: (message: string) => string = (message) => message,
): Error {
  if (!isOpenStackError(error)) return error instanceof Error ? error : new Error(String(error));
  const { retryAfterMs } = error;
  return new ComputeError(codeOf(error, kind), say(error.message), {
    cause: error,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

function codeOf(error: OpenStackError, kind: CallKind): ComputeErrorCode {
  const isAnswer = isOpenStackError(error, 'bad-request', 'conflict', 'server');
  if (isAnswer && NO_TARGET.test(error.message)) return 'no-target';
  const code = CODES[error.code];
  return kind === 'write' && code === 'unavailable' && isFateUnknown(error) ? 'unknown-fate' : code;
}
