/** A whole number in decimal digits, at most `limit`. `undefined` if the text is none. */
export function readCount(text: string | undefined, limit: number = Number.MAX_SAFE_INTEGER): number | undefined {
  if (text === undefined || !/^\s*\d{1,16}\s*$/.test(text)) return undefined;
  const count = Number(text);
  return count > limit ? undefined : count;
}
