/** Ctrl-]. */
const ESCAPE = 0x1d;

/** What was typed before the key that leaves the console, and whether it was hit. */
export function splitAtEscape(bytes: Uint8Array): { readonly typed: Uint8Array; readonly isLeaving: boolean } {
  const place = bytes.indexOf(ESCAPE);
  return place === -1 ? { typed: bytes, isLeaving: false } : { typed: bytes.subarray(0, place), isLeaving: true };
}
