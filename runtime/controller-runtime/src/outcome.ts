/** What follows a reconcile: nothing until something changes, or another one after a while. Throwing means back-off. */
export type Outcome = { readonly kind: 'done' } | { readonly kind: 'requeue'; readonly afterMs: number };

export const done: Outcome = { kind: 'done' };

export function requeueAfter(afterMs: number): Outcome {
  return { kind: 'requeue', afterMs };
}
