type Starts = readonly Promise<AsyncDisposable | undefined>[];
/** What each of some promises resolves with. */
type Started<T extends Starts> = { -readonly [K in keyof T]: Awaited<T[K]> };

/** Waits for things that are started side by side, and hands them to their owner: also when one of them fails, which is thrown then. */
export async function startTogether<const T extends Starts>(
  owner: AsyncDisposableStack,
  starts: T,
): Promise<Started<T>> {
  for (const result of await Promise.allSettled(starts)) if (result.status === 'fulfilled') owner.use(result.value);
  return await Promise.all(starts);
}
