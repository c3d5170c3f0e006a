/** Records of evacuations this much older than an incident are looked at too: the clocks may differ by some days. */
const LOOK_BACK_MS = 7 * 24 * 60 * 60 * 1_000;

/** Since when evacuations are listed that may belong to an incident; `now` is by the same clock as its times. */
export function evacuationsSince({ openedAt }: { readonly openedAt: number }, now: number): Date {
  return new Date(Math.max(0, Math.min(openedAt, now) - LOOK_BACK_MS));
}
