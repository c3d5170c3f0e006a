import { ImageStoreError } from '@smalt/image-store';

import { isInvalidPod, isPodRunnerError } from '../pod-runner-error.ts';

/** What a failed start means for the pod. */
export type StartFailure =
  /** It can never start. */
  | { readonly kind: 'refused'; readonly reason: string; readonly message: string }
  /** It is tried again later, and the pod tells why it waits. */
  | { readonly kind: 'waiting'; readonly reason: string; readonly message: string; readonly againInMs: number }
  /** It is tried again, and the pod need not know. */
  | { readonly kind: 'unexplained' };

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
/** Errors of the file system that somebody has to do something about. */
const ROOM = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE']);

/** Decides what follows from an error while a pod was started, for the `attempt`th time. */
export function judgeStartFailure(error: unknown, attempt: number): StartFailure {
  if (isInvalidPod(error)) return { kind: 'refused', reason: 'UnsupportedPod', message: error.message };
  // As a kubelet does: the scheduler has counted, so somebody else has come by another way.
  if (isPodRunnerError(error, 'no-processors')) {
    return { kind: 'refused', reason: 'UnexpectedAdmissionError', message: error.message };
  }
  const againInMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  if (error instanceof ImageStoreError) {
    const reason = attempt === 1 ? 'ErrImagePull' : 'ImagePullBackOff';
    return { kind: 'waiting', reason, message: error.message, againInMs };
  }
  if (isPodRunnerError(error, 'volume-not-ready')) {
    return { kind: 'waiting', reason: 'ContainerCreating', message: error.message, againInMs };
  }
  if (error instanceof Error && 'code' in error && ROOM.has(String(error.code))) {
    return { kind: 'waiting', reason: 'CreateContainerError', message: error.message, againInMs };
  }
  return { kind: 'unexplained' };
}
