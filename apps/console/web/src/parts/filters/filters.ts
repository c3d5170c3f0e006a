/** What an address says of how a list is narrowed. */
type Search = Readonly<Record<string, unknown>>;

/** Reads these words of an address; anything else is left out. */
export function readFilters(search: Search, words: readonly string[]): { readonly [word: string]: string } {
  return Object.fromEntries(
    words.flatMap((word) => {
      const value = search[word];
      // A text of digits alone comes back from the address as a number.
      const text = typeof value === 'number' ? String(value) : value;
      return typeof text === 'string' && text !== '' ? [[word, text]] : [];
    }),
  );
}

/** An address with one word changed, or without it. */
export function withFilter(search: Search, word: string, value: string | undefined): Search {
  const { [word]: _, ...rest } = search;
  return value === undefined || value === '' ? rest : { ...rest, [word]: value };
}

/** What is to be chosen from: what is chosen stays to be seen when nothing has that value any more. */
export function withChosen(values: readonly string[], chosen: string | undefined): string[] {
  return chosen === undefined || values.includes(chosen) ? [...values] : [...values, chosen];
}

/** The values there are to choose from, sorted, each once. */
export function distinctValues(values: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== '').toSorted();
}
