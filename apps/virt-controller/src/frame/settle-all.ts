/**
 * Waits until all of them have ended, then throws what the first of them that failed has thrown. Who goes on while some are
 * under way decides by what is no longer so, and asks for one too many.
 */
export async function settleAll(pending: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(pending)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
