/** Runs tasks side by side until the signal fires. The failure of one stops the others, and is thrown when all have ended. */
export async function runTogether(
  tasks: readonly ((signal: AbortSignal) => Promise<void>)[],
  signal: AbortSignal,
): Promise<void> {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const running = tasks.map(async (task) => {
    try {
      await task(either);
    } catch (error) {
      if (either.aborted) return;
      failure.abort();
      throw error;
    }
  });
  const ends = await Promise.allSettled(running);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
