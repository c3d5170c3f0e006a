import { isKubeError, type KubeErrorCode } from '@smalt/kube';
import { isUnavailable } from '@smalt/kubernetes-callers';
import type { Status } from '@smalt/kubernetes';

import { isRefusal, statusOf } from './virt-api-error.ts';

/** What passes when one tries again. */
const BUSY: ReadonlySet<KubeErrorCode> = new Set(['connection', 'timeout', 'too-many-requests', 'server']);

/** What the client is told of an error; undefined for a fault of ours, of which it is told nothing but that. */
export function statusOfError(error: unknown): Status | undefined {
  if (isRefusal(error)) return error.status;
  if (isUnavailable(error)) return statusOf(503, error.message);
  if (!isKubeError(error)) return undefined;
  const { code, message, status } = error;
  // That we may not do something is for the administrator to mend, and not for who asked.
  if (code === 'forbidden' || code === 'unauthorized') return statusOf(500, `virt-api was refused: ${message}`);
  if (!BUSY.has(code)) return status;
  return statusOf(503, `the API server cannot be asked: ${message}`, { retryAfterSeconds: 1 });
}
