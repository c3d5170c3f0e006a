const MOST_CHARACTERS = 255;
const BEYOND_BASIC = /[\u{10000}-\u{10FFFF}]/gu;
const CONTROLS = /\p{Cc}+/gu;

/**
 * What is kept of the reason for which a host is disabled: one line of at most 255 characters, `\uFFFD` in place of those
 * outside the basic plane, because databases of compute systems refuse them.
 */
export function reasonAsKept(reason: string): string {
  const text = reason.toWellFormed().replaceAll(BEYOND_BASIC, '\uFFFD').replaceAll(CONTROLS, ' ').trim();
  return text.slice(0, MOST_CHARACTERS).trimEnd();
}
