/** How long an answer asks to wait: seconds, or a date that is compared with the answer's own. */
export function readRetryAfterMs(header: string | undefined, answered: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const until = Date.parse(header);
  // The clocks of controllers are often wrong; both dates are of the same one.
  const from = Date.parse(answered ?? '');
  return Number.isNaN(until) || Number.isNaN(from) ? undefined : Math.max(0, until - from);
}
