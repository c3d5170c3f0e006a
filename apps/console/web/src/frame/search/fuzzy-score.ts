const START_OF_WORD = 8;
const IN_A_ROW = 5;
const FIRST = 10;
const WHOLE = 20;

/** How well a text answers what was typed: letters in order, best together and at the start of words. Undefined: not at all. */
export function fuzzyScore(typed: string, text: string): number | undefined {
  const wanted = typed.toLowerCase().replaceAll(/\s+/g, '');
  const given = text.toLowerCase();
  if (wanted === '') return 0;
  const at = given.indexOf(wanted);
  if (at >= 0) return together(wanted, given, at);
  return apart(wanted, given);
}

function together(wanted: string, given: string, at: number): number {
  const places = at === 0 ? FIRST : isWordStart(given, at) ? START_OF_WORD : 0;
  return WHOLE + wanted.length * IN_A_ROW + places - given.length / 100;
}

function apart(wanted: string, given: string): number | undefined {
  let score = 0;
  let from = 0;
  for (const letter of wanted) {
    const found = given.indexOf(letter, from);
    if (found < 0) return undefined;
    score += found === from && from > 0 ? IN_A_ROW : isWordStart(given, found) ? START_OF_WORD : 1;
    from = found + 1;
  }
  return score - given.length / 100;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[^a-z0-9]/.test(text.charAt(at - 1));
}
