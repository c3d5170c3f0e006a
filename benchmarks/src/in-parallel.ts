/**
 * Does something with each of a list, so many of them at once. When one fails, nothing new is begun and the signal of the others fires;
 * the failure is thrown when they are over, so that nobody goes on behind the back of whoever clears up.
 */
export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  signal: AbortSignal,
  act: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const until = AbortSignal.any([signal, failed.signal]);
  const left = items.values();
  const work = async (): Promise<void> => {
    for (const item of left) {
      until.throwIfAborted();
      await act(item, until);
    }
  };
  const workers = Array.from({ length: atOnce }, () => work().catch((error: unknown) => failed.abort(error)));
  await Promise.all(workers);
  failed.signal.throwIfAborted();
}
