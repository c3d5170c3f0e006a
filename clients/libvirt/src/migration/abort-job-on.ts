import type { Connection } from '../connection.ts';
import type { Domain } from '../generated/structs.gen.ts';
import { isLibvirtError, LibvirtError } from '../libvirt-error.ts';

export interface AbortableJob {
  readonly source: Pick<Connection, 'domainAbortJob'>;
  readonly domain: Domain;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs a job that the daemon can abort. When the signal fires the daemon is told to, and the job is waited for all the
 * same: giving up on the call alone would let the job go on unseen.
 */
export async function abortJobOn<Result>(job: AbortableJob, run: () => Promise<Result>): Promise<Result> {
  const { source, domain, signal } = job;
  if (signal?.aborted === true) throw givenUp(domain, signal);
  let aborting: Promise<unknown> | undefined;
  const abort = (): void => {
    // Its failure is looked at below: a job that has just ended cannot be aborted, and need not be.
    aborting = source.domainAbortJob({ domain }).catch((error: unknown) => error);
  };
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await run();
  } catch (error) {
    const abortFailure = await aborting;
    const wasAborted = aborting !== undefined && abortFailure === undefined;
    throw wasAborted && isLibvirtError(error) ? givenUp(domain, signal, error) : error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

function givenUp(domain: Domain, signal: AbortSignal | undefined, cause?: LibvirtError): LibvirtError {
  const message = `the migration of ${domain.name} was given up by the caller`;
  return new LibvirtError('aborted', message, { cause: cause ?? signal?.reason, number: cause?.number });
}
