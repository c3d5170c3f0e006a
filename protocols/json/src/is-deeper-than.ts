const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether JSON text nests objects and lists more than `limit` deep, told in one pass and without a stack of its own, so
 * that it can be asked before anything recursive reads the text. Text that is not JSON gets an answer too.
 */
export function isDeeperThan(text: string, limit: number): boolean {
  // Each level takes a character.
  if (text.length <= limit) return false;
  let depth = 0;
  for (let position = 0; position < text.length; position++) {
    switch (text.charCodeAt(position)) {
      case QUOTE:
        position = closingQuote(text, position);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth++;
        if (depth > limit) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth = Math.max(0, depth - 1);
        break;
      default:
    }
  }
  return false;
}

function closingQuote(text: string, start: number): number {
  let position = start + 1;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) return position;
    position += code === BACKSLASH ? 2 : 1;
  }
  return position;
}
