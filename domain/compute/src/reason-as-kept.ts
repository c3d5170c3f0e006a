const MOST_CHARACTERS = 255;
const BEYOND_BASIC = /[\u{10000}-\u{10FFFF}]/gu;
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * What is kept of the reason for which a host is disabled: one line of at most 255 characters, `\uFFFD` in place of those
 * outside the basic plane, because databases of compute systems refuse them. What was kept is kept as it is.
 */
export function reasonAsKept(reason: string): string {
  const text = reason.toWellFormed().replaceAll(BEYOND_BASIC, '\uFFFD').replaceAll(BREAKS, ' ').trim();
  return text.slice(0, MOST_CHARACTERS).trimEnd();
}
