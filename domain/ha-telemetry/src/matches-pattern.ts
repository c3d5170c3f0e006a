/**
 * Tells whether a name matches a pattern: `*` stands for any characters, `?` for one. It takes time in proportion to the
 * product of both lengths at worst, whatever the pattern.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  let [at, want] = [0, 0];
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    if (pattern[want] === '*') {
      star = want++;
      resume = at;
    } else if (want < pattern.length && (pattern[want] === '?' || pattern[want] === name[at])) {
      at++;
      want++;
    } else if (star >= 0) {
      // What the star stood for was too short.
      want = star + 1;
      at = ++resume;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(want));
}
