import { ComputeError, type ComputeErrorCode } from '@smalt/compute';
import { isKubeError, isNotFound, type KubeErrorCode } from '@smalt/kube';

/** Whether a call changes something: if so, one that was lost on the way may have been carried out. */
export type CallKind = 'read' | 'write';

const CODES: Readonly<Record<KubeErrorCode, ComputeErrorCode>> = {
  aborted: 'aborted',
  'already-exists': 'conflict',
  'apply-conflict': 'conflict',
  'bad-answer': 'unavailable',
  'bad-config': 'unavailable',
  'bad-request': 'refused',
  conflict: 'stale',
  connection: 'unavailable',
  expired: 'unavailable',
  forbidden: 'refused',
  invalid: 'refused',
  'not-found': 'not-found',
  server: 'unavailable',
  timeout: 'unavailable',
  'too-many-requests': 'unavailable',
  unauthorized: 'unavailable',
  unsupported: 'refused',
};

/** Makes a call to the API; what fails there throws a `ComputeError`. */
export async function asComputeErrors<T>(kind: CallKind, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toComputeError(error, kind);
  }
}

/** The same for a thing that may be gone, which is undefined then. */
export async function unlessGone<T>(kind: CallKind, call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw toComputeError(error, kind);
  }
}

/** The error of the port for one of the API; others, which are mistakes in the program, are left alone. */
export function toComputeError(error: unknown, kind: CallKind): Error {
  if (!isKubeError(error)) return error instanceof Error ? error : new Error(String(error));
  const { retryAfterMs } = error;
  const isLost = isKubeError(error, 'connection', 'timeout', 'server', 'bad-answer');
  const code = kind === 'write' && isLost ? 'unknown-fate' : CODES[error.code];
  return new ComputeError(code, error.message, { cause: error, ...(retryAfterMs !== undefined && { retryAfterMs }) });
}
