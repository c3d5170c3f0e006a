import type { Connection } from '../connection.ts';
import type { Domain } from '../generated/structs.gen.ts';
import { isLibvirtError, LibvirtError } from '../libvirt-error.ts';
import type { CallOptions } from '../procedure.ts';

export interface AbortableJob {
  readonly source: Pick<Connection, 'domainAbortJob'>;
  readonly domain: Domain;
  readonly signal: AbortSignal | undefined;
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
  const { source, domain, signal } = job;
  throwIfGivenUp(domain, signal);
  const unsent = new AbortController();
  let isSent = false;
  let aborting: Promise<unknown> | undefined;
  const abort = (): void => {
    if (!isSent) unsent.abort(signal?.reason);
    // Its failure is looked at below: a job that has just ended cannot be aborted, and need not be.
    else aborting = source.domainAbortJob({ domain }).catch((error: unknown) => error);
  };
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await run({ timeoutMs: Infinity, signal: unsent.signal, onSent: () => (isSent = true) });
  } catch (error) {
    const abortFailure = await aborting;
    const wasAborted = aborting !== undefined && abortFailure === undefined;
    throw wasAborted && isLibvirtError(error) ? givenUp(domain, signal, error) : error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** Fails when the caller has given the migration up. */
export function throwIfGivenUp(domain: Domain, signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw givenUp(domain, signal);
}

function givenUp(domain: Domain, signal: AbortSignal | undefined, cause?: LibvirtError): LibvirtError {
  const message = `the migration of ${domain.name} was given up by the caller`;
  return new LibvirtError('aborted', message, { cause: cause ?? signal?.reason, number: cause?.number });
}
