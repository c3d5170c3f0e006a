import type { OpenStackError } from './openstack-error.ts';

const FIRST_MS = 200;
const LONGEST_MS = 10_000;
/** Who is asked to stay away for longer is told at once, and can do something else. */
const LONGEST_RETRY_AFTER_MS = 30_000;

/** What a request may have to get anew before it is made again. */
export type Renewal = 'token' | 'versions';

export interface Attempt {
  /** Whether the request may be made twice without harm. */
  readonly isSafe: boolean;
  /** Whether to make it twice does harm that nothing can undo: then nobody's word but our own says that it was not done. */
  readonly isOnce: boolean;
  /** How many attempts there were, this one included. */
  readonly count: number;
  readonly maxAttempts: number;
  /** What can be got anew, and was not yet. */
  readonly renewals: ReadonlySet<Renewal>;
}

/** What to do about a failure. */
export type RetryStep =
  | { readonly kind: 'give-up' }
  | { readonly kind: 'renew'; readonly what: Renewal }
  | { readonly kind: 'wait'; readonly delayMs: number };

const NEVER_SENT = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const GIVE_UP: RetryStep = { kind: 'give-up' };

/**
 * Decides whether a failed request is made again. One that changes something is, only if it was surely not carried out:
 * refused before anything looked at it, put off by the server, or never sent. One that is `isOnce` is not if it was put off.
 * `random` is a number from 0 to 1: many clients must not come back at the same moment.
 */
export function decideRetry(error: OpenStackError, attempt: Attempt, random: number): RetryStep {
  const renewal = renewalFor(error);
  if (renewal !== undefined) return attempt.renewals.has(renewal) ? { kind: 'renew', what: renewal } : GIVE_UP;
  if (attempt.count >= attempt.maxAttempts) return GIVE_UP;
  if (!isFree(error, attempt)) return GIVE_UP;
  const backOffMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt.count - 1)) * (0.5 + random / 2);
  const delayMs = Math.max(error.retryAfterMs ?? 0, backOffMs);
  return delayMs > LONGEST_RETRY_AFTER_MS ? GIVE_UP : { kind: 'wait', delayMs };
}

/** Whether nothing can come of another attempt but what was asked for. */
function isFree(error: OpenStackError, { isSafe, isOnce }: Attempt): boolean {
  if (wasNeverSent(error)) return true;
  // A proxy may put off a request that it has already passed on.
  return !isOnce && (wasPutOff(error) || (isSafe && isPassing(error)));
}

function renewalFor(error: OpenStackError): Renewal | undefined {
  if (error.code === 'unauthorized') return 'token';
  // A service that was replaced by an older or newer one knows other versions than it did.
  return error.code === 'microversion' && error.httpStatus === 406 ? 'versions' : undefined;
}

function wasPutOff({ code, httpStatus, retryAfterMs }: OpenStackError): boolean {
  return code === 'too-many-requests' || (httpStatus === 503 && retryAfterMs !== undefined);
}

function wasNeverSent({ code, cause }: OpenStackError): boolean {
  if (code !== 'connection' && code !== 'timeout') return false;
  return cause instanceof Error && 'code' in cause && NEVER_SENT.has(String(cause.code));
}

function isPassing({ code, httpStatus }: OpenStackError): boolean {
  return code === 'connection' || code === 'unavailable' || httpStatus === 504;
}

/** Reads the Retry-After header: seconds, or a date, which counts from what the server itself calls now. */
export function readRetryAfterMs(header: string | undefined, serverDate: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const delayMs = Date.parse(header) - Date.parse(serverDate ?? '');
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
}
