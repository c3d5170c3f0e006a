import { settleAll } from './settle-all.ts';

/** How many things are asked for at a time. */
const AT_ONCE = 16;

/** Does something with each of many, a few at a time. Once one has failed, those that are under way are waited for, and no more begun. */
export async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let index = 0; index < all.length; index += AT_ONCE) {
    await settleAll(all.slice(index, index + AT_ONCE).map(work));
  }
}
