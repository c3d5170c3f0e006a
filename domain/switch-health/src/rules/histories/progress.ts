/** Somebody who follows a number that others raise. */
export interface Progress {
  /** How far he has come. */
  readonly reached: bigint;
  /** Since when he is behind and has not moved. */
  readonly behindSince: number | undefined;
}

/** Notes how far it has come. One that is behind but moves is only busy, so each step begins the wait anew. */
export function advanceProgress(
  old: Progress | undefined,
  { wanted, reached }: { readonly wanted: bigint; readonly reached: bigint },
  at: number,
): Progress {
  if (reached >= wanted) return { reached, behindSince: undefined };
  const stands = old?.reached === reached ? old.behindSince : undefined;
  return { reached, behindSince: stands ?? at };
}
