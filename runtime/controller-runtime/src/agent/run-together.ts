/** Something that works until a signal fires. */
export type Task = (signal: AbortSignal) => Promise<void>;

/** Runs tasks side by side until the signal fires; the failure of one ends all, and is thrown once all have ended. */
export async function runTogether(tasks: readonly Task[], signal: AbortSignal): Promise<void> {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const running = tasks.map(async (task) => {
    try {
      await task(either);
    } catch (error) {
      if (either.aborted) return;
      failure.abort(error);
      throw error;
    }
  });
  await Promise.allSettled(running);
  await Promise.all(running);
}
