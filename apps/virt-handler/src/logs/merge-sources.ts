/** What several sources give, in the order in which it comes. Ends when all have ended; nothing is read ahead of who iterates. */
export async function* mergeSources<T>(sources: readonly AsyncGenerator<T, void>[]): AsyncGenerator<T, void> {
  const pending = new Map(sources.map((source) => [source, nextOf(source)]));
  try {
    while (pending.size > 0) {
      const { source, result } = await Promise.race(pending.values());
      if (result.done === true) {
        pending.delete(source);
        continue;
      }
      yield result.value;
      pending.set(source, nextOf(source));
    }
  } finally {
    // Not awaited: one that waits for something ends when its signal fires. What goes wrong with it then concerns nobody.
    for (const [source, arrival] of pending) {
      arrival.catch(() => undefined);
      source.return().catch(() => undefined);
    }
  }
}

interface Arrival<T> {
  readonly source: AsyncGenerator<T, void>;
  readonly result: IteratorResult<T, void>;
}

async function nextOf<T>(source: AsyncGenerator<T, void>): Promise<Arrival<T>> {
  return { source, result: await source.next() };
}
