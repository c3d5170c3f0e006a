import { createHmac } from 'node:crypto';

/**
 * The signature of a notice: HMAC-SHA256 over the time it was sent at, in seconds, a point, and the body. Who receives it
 * computes the same, and refuses what is old.
 */
export function signNotice(secret: string, sentAtSeconds: number, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${sentAtSeconds}.${body}`).digest('hex')}`;
}
