/** Where a reader takes what a follower has put. */
export interface Source<Item> {
  take(): Item | undefined;
  /** Ends the waiting, whether there is something to take or not. */
  wake(): void;
  wait(): Promise<void>;
}

/**
 * Fills a source in the background and hands out what comes, until the signal fires or the reader leaves its loop; the
 * filling has ended by then. When the filling fails, so does the reading.
 */
export async function* readUntilAborted<Item>(
  source: Source<Item>,
  fill: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<Item, undefined> {
  const leaving = new AbortController();
  const both = AbortSignal.any([signal, leaving.signal]);
  both.addEventListener('abort', () => source.wake(), { once: true });
  let failure: { readonly error: unknown } | undefined;
  const filling = fill(both).catch((error: unknown) => {
    failure = { error };
    source.wake();
  });
  try {
    // Waking up, not racing: a promise that takes part in a race for every item would keep something of each.
    while (!both.aborted) {
      if (failure) throw failure.error;
      const item = source.take();
      if (item === undefined) await source.wait();
      else yield item;
    }
  } finally {
    leaving.abort();
    await filling;
  }
}
