import { SmaltError } from '../smalt-error.ts';

/**
 * Runs something that has so long at most. Throws `timed-out` with what it was about when the time is over before; when the
 * person has had enough, what it threw.
 */
export async function withDeadline<T>(
  {
    timeoutMs,
    signal,
    what,
  }: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly what: () => string },
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(timeoutMs);
  const checked = async (): Promise<T> => {
    const result = await run(AbortSignal.any([signal, late]));
    late.throwIfAborted();
    return result;
  };
  try {
    return await checked();
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error;
    throw new SmaltError('timed-out', what(), { cause: error });
  }
}
