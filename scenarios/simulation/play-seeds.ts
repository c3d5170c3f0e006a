import { addTotals, noTotals, totalsOf, type SeedTotals } from './seed-totals.ts';
import { simulateSeed, type SeedOptions } from './simulate-seed.ts';
import type { SeedRange } from './seed-range.ts';

/** Plays one seed after the other in this process. */
export async function playSeeds(range: SeedRange, options: SeedOptions = {}): Promise<SeedTotals> {
  let totals = noTotals;
  for (let seed = range.first; seed <= range.last; seed += 1) {
    totals = addTotals(totals, totalsOf(await simulateSeed(seed, options)));
  }
  return totals;
}
