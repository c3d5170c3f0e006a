/** What follows a reconcile: nothing until something changes, or another one after a while. Throwing means back-off. */
export type Outcome = { readonly kind: 'done' } | { readonly kind: 'requeue'; readonly afterMs: number };

export const done: Outcome = { kind: 'done' };

export function requeueAfter(afterMs: number): Outcome {
  if (!(afterMs >= 0)) throw new RangeError(`requeueAfter: ${afterMs} is no time to wait`);
  return { kind: 'requeue', afterMs };
}

/** Another look in a moment: the cache has not had the last write yet. */
export const catchUp: Outcome = requeueAfter(20);

/** Another look soon, in case that the event of a write that is waited for never comes. */
export const awaitWrite: Outcome = requeueAfter(500);
