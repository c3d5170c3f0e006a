import type { KubeError } from './kube-error.ts';
import { CONNECT_TIMEOUT } from './timeout-error.ts';

const FIRST_MS = 100;
const LONGEST_MS = 10_000;
/** What is asked for beyond is not obeyed: a watch that is put off for an hour would be deaf for an hour. */
const LONGEST_RETRY_AFTER_MS = 30_000;

export interface Attempt {
  readonly method: string;
  /** How many attempts there were, this one included. */
  readonly count: number;
  readonly maxAttempts: number;
}

const NEVER_SENT = new Set([
  CONNECT_TIMEOUT,
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * How long to wait before the request is made again, or undefined if it is not. A server that asks for patience, or that
 * there was no way to, has not done anything yet, so any request may be repeated then; after a lost connection only one
 * that changes nothing.
 * `random` is a number from 0 to 1: many clients must not come back at the same moment.
 */
export function retryDelayMs(error: KubeError, attempt: Attempt, random: number): number | undefined {
  if (attempt.count >= attempt.maxAttempts) return undefined;
  const backOffMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt.count - 1)) * (0.5 + random / 2);
  if (error.retryAfterMs !== undefined) return Math.max(error.retryAfterMs, backOffMs);
  if (error.code === 'too-many-requests') return backOffMs;
  if (wasNeverSent(error)) return backOffMs;
  const isSafe = attempt.method === 'GET';
  const isPassing = error.code === 'connection' || error.httpStatus === 502 || error.httpStatus === 503;
  return isSafe && isPassing ? backOffMs : undefined;
}

function wasNeverSent({ code, cause }: KubeError): boolean {
  if (code !== 'connection' && code !== 'timeout') return false;
  return cause instanceof Error && 'code' in cause && NEVER_SENT.has(String(cause.code));
}

/** Reads the Retry-After header: seconds, or a date. What it asks for beyond half a minute is not granted. */
export function readRetryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const askedMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(askedMs) ? undefined : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, askedMs));
}
