import type { Connection } from '../connection.ts';
import { DomainMigrateFlags, DomainState } from '../generated/constants.gen.ts';
import type { DomainMigrateParameters } from '../generated/parameter-sets.gen.ts';
import { procedures } from '../generated/procedures.gen.ts';
import type { Domain } from '../generated/structs.gen.ts';
import { isConnectionLost, isLibvirtError, LibvirtError } from '../libvirt-error.ts';
import type { TypedParameterInput } from '../typed-parameters.ts';
import { abortJobOn } from './abort-job-on.ts';

const CHANGE_PROTECTION_FEATURE = 7;
/** A migration takes as long as the guest writes memory, however long a call may otherwise take. */
const patiently = { timeoutMs: Infinity };

export interface MigrateOptions {
  readonly domain: Domain;
  readonly parameters?: TypedParameterInput<DomainMigrateParameters>;
  /** `DomainMigrateFlags` combined. `peer2peer` and `tunnelled` need `migrateToUri`. Default: `live`. */
  readonly flags?: number;
  /** Aborts the migration; the domain then stays on the source. Too late once the destination has taken over. */
  readonly signal?: AbortSignal;
}

export interface MigrateResult {
  /** The domain on the destination. */
  readonly domain: Domain;
  /** Why the source could not be told of the success; it then probably keeps the domain, paused. */
  readonly leftBehind?: LibvirtError;
}

/** What a migration needs of the source. */
export type MigrateSource = Pick<
  Connection,
  | 'call'
  | 'domainAbortJob'
  | 'domainGetState'
  | 'domainMigrateBegin3Params'
  | 'domainMigrateConfirm3Params'
  | 'domainMigratePerform3Params'
>;

/** What a migration needs of the destination. */
export type MigrateDestination = Pick<Connection, 'domainMigratePrepare3Params' | 'domainMigrateFinish3Params'>;

/**
 * Migrates a domain between two daemons that need not reach each other: this client carries what they have to say, and
 * only the memory goes from host to host. When it fails the domain goes on running on the source, unless it cannot be
 * known whether the destination runs it: then it stays paused there, so that it never runs twice.
 */
export async function migrate(
  source: MigrateSource,
  destination: MigrateDestination,
  options: MigrateOptions,
): Promise<MigrateResult> {
  const flags = options.flags ?? DomainMigrateFlags.live;
  if ((flags & (DomainMigrateFlags.peer2peer | DomainMigrateFlags.tunnelled)) !== 0) {
    throw new LibvirtError('invalid-arg', 'flags: peer2peer and tunnelled migrations need migrateToUri');
  }
  const isProtected = await source.call(procedures.connectSupportsFeature, { feature: CHANGE_PROTECTION_FEATURE });
  const protection = isProtected > 0 ? DomainMigrateFlags.changeProtection : 0;
  return new Migration(source, destination, { ...options, flags }, protection).run();
}

/** One migration under way; the steps pass each other cookies, and each undoes the ones before it when it fails. */
class Migration {
  readonly #source: MigrateSource;
  readonly #destination: MigrateDestination;
  readonly #domain: Domain;
  readonly #signal: AbortSignal | undefined;
  readonly #protection: number;
  #parameters: TypedParameterInput<DomainMigrateParameters>;
  #flags: number;

  constructor(
    source: MigrateSource,
    destination: MigrateDestination,
    options: MigrateOptions & { readonly flags: number },
    protection: number,
  ) {
    this.#source = source;
    this.#destination = destination;
    this.#domain = options.domain;
    this.#signal = options.signal;
    this.#parameters = options.parameters ?? {};
    this.#flags = options.flags;
    this.#protection = protection;
  }

  async run(): Promise<MigrateResult> {
    const prepared = await this.#prepare(await this.#begin());
    if ((this.#flags & DomainMigrateFlags.offline) !== 0) return this.#finish(new Uint8Array(0));
    return this.#finish(await this.#perform(prepared));
  }

  async #begin(): Promise<Uint8Array> {
    const { cookieOut, xml } = await this.#source.domainMigrateBegin3Params(
      { domain: this.#domain, params: this.#parameters, flags: this.#flags | this.#protection },
      patiently,
    );
    const { state } = await this.#source.domainGetState({ domain: this.#domain });
    const isResumed = (this.#flags & DomainMigrateFlags.postcopyResume) !== 0;
    if (state === DomainState.paused && !isResumed) this.#flags |= DomainMigrateFlags.paused;
    this.#parameters = { ...this.#parameters, destination_xml: xml };
    return cookieOut;
  }

  async #prepare(cookieIn: Uint8Array): Promise<Uint8Array> {
    const args = { params: this.#parameters, cookieIn, flags: this.#destinationFlags };
    const prepared = await this.#destination.domainMigratePrepare3Params(args, patiently).catch((error: unknown) =>
      // Only with protection has `begin` started a job on the source that has to be ended.
      this.#protection === 0 ? fail(error) : this.#resumeSource(error),
    );
    // A destination that leaves the address open is content with the one in the parameters.
    if (prepared.uriOut !== undefined) this.#parameters = { ...this.#parameters, migrate_uri: prepared.uriOut };
    return prepared.cookieOut;
  }

  async #perform(cookieIn: Uint8Array): Promise<Uint8Array> {
    const job = { source: this.#source, domain: this.#domain, signal: this.#signal };
    const args = { domain: this.#domain, params: this.#parameters, cookieIn, flags: this.#flags | this.#protection };
    let isStarted = false;
    try {
      return await abortJobOn(job, () => {
        isStarted = true;
        return this.#source.domainMigratePerform3Params(args, patiently);
      });
    } catch (error) {
      const finishError = await this.#cancelDestination();
      const failure = isExpectedOfCancelled(finishError) ? error : alsoSaid(error, 'the destination', finishError);
      // A source that was heard has undone its part already; one that was never asked still waits.
      return isStarted && hasAnswered(error) ? fail(failure) : this.#resumeSource(failure);
    }
  }

  async #finish(cookieIn: Uint8Array): Promise<MigrateResult> {
    const finished = await this.#destination
      .domainMigrateFinish3Params(this.#finishArgs(cookieIn, 0), patiently)
      .catch(async (error: unknown) => {
        if (isConnectionLost(error) || isLibvirtError(error, 'closed')) throw outcomeUnknown(this.#domain, error);
        return this.#resumeSource(error);
      });
    const leftBehind = await this.#confirm(finished.cookieOut, false);
    return leftBehind === undefined ? { domain: finished.domain } : { domain: finished.domain, leftBehind };
  }

  /** Resolves with what the destination says: that it is done, as a special error, or what went wrong there. */
  async #cancelDestination(): Promise<unknown> {
    const args = this.#finishArgs(new Uint8Array(0), 1);
    return this.#destination.domainMigrateFinish3Params(args, patiently).catch((error: unknown) => error);
  }

  /** Lets the domain go on running on the source, and fails with what led to this. */
  async #resumeSource(error: unknown): Promise<never> {
    const confirmError = await this.#confirm(new Uint8Array(0), true);
    return fail(confirmError === undefined ? error : alsoSaid(error, 'the source', confirmError));
  }

  /** Ends the source's part: a cancelled one goes on running, the other is removed. Resolves with its failure. */
  async #confirm(cookieIn: Uint8Array, isCancelled: boolean): Promise<LibvirtError | undefined> {
    const args = { domain: this.#domain, params: this.#parameters, cookieIn, flags: this.#flags | this.#protection };
    try {
      await this.#source.domainMigrateConfirm3Params({ ...args, cancelled: isCancelled ? 1 : 0 }, patiently);
      return undefined;
    } catch (error) {
      if (isLibvirtError(error)) return error;
      throw error;
    }
  }

  #finishArgs(
    cookieIn: Uint8Array,
    cancelled: number,
  ): Parameters<MigrateDestination['domainMigrateFinish3Params']>[0] {
    const params = { destination_name: this.#domain.name, ...this.#parameters };
    return { params, cookieIn, flags: this.#destinationFlags, cancelled };
  }

  get #destinationFlags(): number {
    return this.#flags & ~(DomainMigrateFlags.abortOnError | DomainMigrateFlags.autoConverge);
  }
}

/** Whether the error is the daemon's own, or what became of it when the caller gave up. */
function hasAnswered(error: unknown): boolean {
  return isLibvirtError(error) && (error.number !== undefined || isConnectionLost(error));
}

function fail(error: unknown): never {
  throw error;
}

/** A destination that was told to forget the domain answers with an error that says that it has; older ones with any. */
function isExpectedOfCancelled(error: unknown): boolean {
  return !isLibvirtError(error) || error.code === 'migrate-finish-ok' || error.code === 'rpc';
}

/** The first error with what another daemon added to it: which of the two tells the cause cannot be known. */
function alsoSaid(error: unknown, who: string, other: unknown): unknown {
  if (!isLibvirtError(error) || !isLibvirtError(other)) return error;
  return new LibvirtError(error.code, `${error.message}; ${who} says: ${other.message}`, {
    cause: error,
    number: error.number,
    domain: error.domain,
    procedure: error.procedure,
  });
}

function outcomeUnknown(domain: Domain, cause: LibvirtError): LibvirtError {
  const message =
    `the destination was lost while it took ${domain.name} over: it may or may not run there. ` +
    'The source keeps it paused; look at the destination before resuming it';
  return new LibvirtError(cause.code, message, { cause });
}
