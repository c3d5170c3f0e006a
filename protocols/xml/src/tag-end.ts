const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const GREATER_THAN = 0x3e;

/** The offset behind the `>` that closes the tag at `at`, or -1. A `>` inside quotes does not close it. */
export function tagEnd(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next += 1) {
    const character = text.charCodeAt(next);
    if (character === GREATER_THAN) return next + 1;
    if (character === DOUBLE_QUOTE || character === SINGLE_QUOTE) {
      next = text.indexOf(character === DOUBLE_QUOTE ? '"' : "'", next + 1);
      if (next < 0) return -1;
    }
  }
  return -1;
}
