import { systemClock, type Clock } from '../clock.ts';
import type { Connection } from '../connection.ts';
import type { Domain } from '../generated/structs.gen.ts';
import { isLibvirtError, isOperationInvalid, LibvirtError } from '../libvirt-error.ts';
import type { CallOptions } from '../procedure.ts';

const AGAIN_AFTER_MS = 250;
/** A daemon lets a job wait for another one of the same domain for 30 seconds; then the job has begun or failed. */
const AGAIN_FOR_MS = 60_000;

export interface AbortableJob {
  readonly source: Pick<Connection, 'domainAbortJob'>;
  readonly domain: Domain;
  readonly signal: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Runs a job that the daemon can abort, however long it takes; its call must be made with the options that `run` gets.
 * When the signal fires the daemon is told to, and the job is waited for all the same: giving up on the call alone would
 * let the job go on unseen. A call that has not been sent yet is not sent at all.
 */
export async function abortJobOn<Result>(
  job: AbortableJob,
  run: (options: CallOptions) => Promise<Result>,
): Promise<Result> {
  const { domain, signal } = job;
  throwIfGivenUp(domain, signal);
  const unsent = new AbortController();
  const over = new AbortController();
  let isSent = false;
  let aborting: Promise<boolean> | undefined;
  const abort = (): void => {
    if (!isSent) unsent.abort(signal?.reason);
    else aborting = abortJob(job, over.signal);
  };
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const running = run({ timeoutMs: Infinity, signal: unsent.signal, onSent: () => (isSent = true) });
    return await running.finally(() => over.abort());
  } catch (error) {
    const wasAborted = await aborting;
    throw wasAborted === true && isLibvirtError(error) ? givenUp(domain, signal, error) : error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * Resolves with whether the daemon has aborted the job. A call that it has taken but not begun yet is no job to it, so
 * it is told again, until the call is over. Never rejects: a job that has just ended cannot be aborted, and need not be.
 */
async function abortJob({ source, domain, clock = systemClock }: AbortableJob, over: AbortSignal): Promise<boolean> {
  const startedAt = clock.now();
  do {
    try {
      await source.domainAbortJob({ domain });
      return true;
    } catch (error) {
      if (!isOperationInvalid(error)) return false;
    }
    await pause(clock, over);
  } while (!over.aborted && clock.now() - startedAt < AGAIN_FOR_MS);
  return false;
}

/** Ends early when there is nothing to wait for any more. */
async function pause(clock: Clock, over: AbortSignal): Promise<void> {
  if (over.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onOver = (): void => resolve();
  const cancel = clock.schedule(resolve, AGAIN_AFTER_MS);
  over.addEventListener('abort', onOver);
  await promise;
  over.removeEventListener('abort', onOver);
  cancel();
}

/** Fails when the caller has given the migration up. */
export function throwIfGivenUp(domain: Domain, signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw givenUp(domain, signal);
}

function givenUp(domain: Domain, signal: AbortSignal | undefined, cause?: LibvirtError): LibvirtError {
  const message = `the migration of ${domain.name} was given up by the caller`;
  return new LibvirtError('aborted', message, { cause: cause ?? signal?.reason, number: cause?.number });
}
