import { fuzzyScore } from './fuzzy-score.ts';

/** Something that search can find. */
export interface SearchEntry {
  /** What it is, in a word or two, such as `Virtual machine`. */
  readonly sort: string;
  readonly name: string;
  /** A few words to tell it from others, such as its namespace. */
  readonly detail: string;
  /** The address of its page. */
  readonly href: string;
}

/** The best answers, best first; entries of one score stay in their order. */
export function findHits(entries: readonly SearchEntry[], typed: string, most: number): readonly SearchEntry[] {
  const scored = entries.flatMap((entry) => {
    const score = best(fuzzyScore(typed, entry.name), fuzzyScore(typed, `${entry.detail} ${entry.name} ${entry.sort}`));
    return score === undefined ? [] : [{ entry, score }];
  });
  return scored
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ entry }) => entry);
}

// A hit in the name counts for more than the same hit in what surrounds it.
function best(inName: number | undefined, inAll: number | undefined): number | undefined {
  if (inName === undefined) return inAll;
  return Math.max(inName + 5, inAll ?? 0);
}
