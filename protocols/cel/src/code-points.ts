/** The characters of a text as people count them: one for each code point. */
export function codePointsOf(text: string): readonly string[] {
  return Array.from(text);
}

/** How many code points a text has. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if (isPair(text, index)) length--;
  }
  return length;
}

function isPair(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
}
