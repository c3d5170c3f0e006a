const DAY_MS = 86_400_000;
const USED_SHARE = 0.8;

/** When a token is renewed, in milliseconds after it was got: long before it ends, and once a day in any case. */
export function renewAfterMs(expirationSeconds: number): number {
  return Math.min(expirationSeconds * 1_000 * USED_SHARE, DAY_MS);
}
