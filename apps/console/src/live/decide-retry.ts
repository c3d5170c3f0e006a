import { isKubeError } from '@smalt/kube';
import { messageOf } from '@smalt/service-runtime';

import { isConsoleError } from '../console-error.ts';

/** What becomes of a follow that has ended. */
export type FollowEnd =
  /** It will never be. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** It begins anew at once; the page sees a reset. */
  | { readonly kind: 'anew' }
  /** It is tried again; the page is told. */
  | {
      readonly kind: 'broken';
      readonly delayMs: number;
      readonly message: string;
      /** Whether the user was not known. That alone ends nothing: Kubernetes also refuses tokens that it cannot look up for a moment. */
      readonly isUserUnknown: boolean;
    };

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;
const SERVICE_UNAVAILABLE = 503;

/** Decides by the error, and by how often it has failed in a row before. `random` is from 0 to 1. */
export function decideRetry(error: unknown, failures: number, random: number): FollowEnd {
  if (isKubeError(error, 'expired')) return { kind: 'anew' };
  if (isKubeError(error, 'forbidden', 'not-found', 'bad-request', 'unsupported', 'invalid')) {
    return { kind: 'refused', status: error.httpStatus ?? SERVICE_UNAVAILABLE, message: error.message };
  }
  if (isConsoleError(error, 'forbidden')) return { kind: 'refused', status: 403, message: error.message };
  if (isConsoleError(error, 'not-found')) return { kind: 'refused', status: 404, message: error.message };
  const delayMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures, 10)) * (0.5 + random / 2);
  const isUserUnknown = isKubeError(error, 'unauthorized') || isConsoleError(error, 'signed-out');
  return { kind: 'broken', delayMs, message: messageOf(error), isUserUnknown };
}
