/** Nova takes no more. */
const LONGEST_REASON = 255;

/**
 * A reason as the compute system keeps it: on one line, without characters that its database may not take, and cut. What
 * is kept has to compare equal with what is wanted.
 */
export function serviceReason(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gv, ' ');
  const plain = line.replaceAll(/[\u{10000}-\u{10ffff}\p{Cs}]/gv, '?');
  return plain.trim().slice(0, LONGEST_REASON).trimEnd();
}
