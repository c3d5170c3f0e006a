import { isKubeError, type KubeErrorCode } from '@smalt/kube';
import { isWebSocketError } from '@smalt/websocket';

import { SmaltError, type SmaltErrorCode } from '../smalt-error.ts';

/** How a command ended, for scripts. `docs/reference/exit-codes.md` has the table. */
export const ExitCode = {
  done: 0,
  failed: 1,
  wrongUse: 2,
  notFound: 3,
  refused: 4,
  timedOut: 5,
  /** `smalt ovs trace --check`: the packet is dropped. */
  dropped: 6,
  /** `smalt ovs capture`: there is less than was asked for. */
  incomplete: 7,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

const OF_SMALT: Partial<Record<SmaltErrorCode, ExitCode>> = {
  'bad-address': ExitCode.wrongUse,
  'wrong-use': ExitCode.wrongUse,
  'not-found': ExitCode.notFound,
  refused: ExitCode.refused,
  'timed-out': ExitCode.timedOut,
};
const OF_API: Partial<Record<KubeErrorCode, ExitCode>> = {
  'bad-config': ExitCode.wrongUse,
  'not-found': ExitCode.notFound,
  'already-exists': ExitCode.refused,
  'apply-conflict': ExitCode.refused,
  'bad-request': ExitCode.refused,
  conflict: ExitCode.refused,
  forbidden: ExitCode.refused,
  invalid: ExitCode.refused,
  unauthorized: ExitCode.refused,
  timeout: ExitCode.timedOut,
};

/** The code of a command that ended with an error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (isKubeError(error)) return OF_API[error.code] ?? ExitCode.failed;
  if (isWebSocketError(error, 'refused')) return exitCodeOfStatus(error.httpStatus ?? 0);
  if (!(error instanceof SmaltError)) return ExitCode.failed;
  const own = OF_SMALT[error.code];
  // What a stream was refused for is told by what lies behind it.
  return own ?? (error.cause === undefined ? ExitCode.failed : exitCodeOf(error.cause));
}

/** The code for what a server answered. */
export function exitCodeOfStatus(status: number): ExitCode {
  if (status === 404) return ExitCode.notFound;
  if (status === 408 || status === 504) return ExitCode.timedOut;
  return status >= 400 && status < 500 ? ExitCode.refused : ExitCode.failed;
}
