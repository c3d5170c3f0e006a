import type { Clock } from '../clock.ts';
import type { Connection } from '../connection.ts';
import { DomainMigrateFlags, DomainState } from '../generated/constants.gen.ts';
import type { DomainMigrateParameters } from '../generated/parameter-sets.gen.ts';
import { procedures } from '../generated/procedures.gen.ts';
import type { Domain } from '../generated/structs.gen.ts';
import { isConnectionLost, isLibvirtError, LibvirtError } from '../libvirt-error.ts';
import type { TypedParameterInput } from '../typed-parameters.ts';
import { abortJobOn, throwIfGivenUp } from './abort-job-on.ts';

const CHANGE_PROTECTION_FEATURE = 7;
/** A migration takes as long as the guest writes memory, however long a call may otherwise take. */
const patiently = { timeoutMs: Infinity };
const NO_COOKIE = new Uint8Array(0);

export interface MigrateOptions {
  readonly domain: Domain;
  readonly parameters?: TypedParameterInput<DomainMigrateParameters>;
  /** `DomainMigrateFlags` combined. `peer2peer` and `tunnelled` need `migrateToUri`. Default: `live`. */
  readonly flags?: number;
  /** Aborts the migration; the domain then stays on the source. Too late once the destination has taken over. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
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
export type MigrateDestination = Pick<
  Connection,
  'closed' | 'domainMigratePrepare3Params' | 'domainMigrateFinish3Params'
>;

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
  const { signal } = options;
  const isProtected = await source.call(
    procedures.connectSupportsFeature,
    { feature: CHANGE_PROTECTION_FEATURE },
    signal === undefined ? {} : { signal },
  );
  const protection = isProtected > 0 ? DomainMigrateFlags.changeProtection : 0;
  return new Migration(source, destination, { ...options, flags }, protection).run();
}

/** One migration under way; the steps pass each other cookies, and each undoes the ones before it when it fails. */
class Migration {
  readonly #source: MigrateSource;
  readonly #destination: MigrateDestination;
  readonly #domain: Domain;
  readonly #signal: AbortSignal | undefined;
  readonly #clock: Clock | undefined;
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
    this.#clock = options.clock;
    this.#parameters = options.parameters ?? {};
    this.#flags = options.flags;
    this.#protection = protection;
  }

  async run(): Promise<MigrateResult> {
    throwIfGivenUp(this.#domain, this.#signal);
    const prepared = await this.#prepare(await this.#begin());
    return this.#finish(await this.#perform(prepared));
  }

  async #begin(): Promise<Uint8Array> {
    const { cookieOut, xml } = await this.#source.domainMigrateBegin3Params(
      { domain: this.#domain, params: this.#parameters, flags: this.#flags | this.#protection },
      patiently,
    );
    const { state } = await this.#source
      .domainGetState({ domain: this.#domain }, patiently)
      .catch((error: unknown) => this.#endBegun(error));
    const isResumed = (this.#flags & DomainMigrateFlags.postcopyResume) !== 0;
    if (state === DomainState.paused && !isResumed) this.#flags |= DomainMigrateFlags.paused;
    this.#parameters = { ...this.#parameters, destination_xml: xml };
    return cookieOut;
  }

  async #prepare(cookieIn: Uint8Array): Promise<Uint8Array> {
    const args = { params: this.#parameters, cookieIn, flags: this.#destinationFlags };
    const prepared = await this.#prepareDestination(args).catch((error: unknown) => this.#endBegun(error));
    // A destination that leaves the address open is content with the one in the parameters.
    if (prepared.uriOut !== undefined) this.#parameters = { ...this.#parameters, migrate_uri: prepared.uriOut };
    return prepared.cookieOut;
  }

  async #prepareDestination(
    args: Parameters<MigrateDestination['domainMigratePrepare3Params']>[0],
  ): ReturnType<MigrateDestination['domainMigratePrepare3Params']> {
    throwIfGivenUp(this.#domain, this.#signal);
    return this.#destination.domainMigratePrepare3Params(args, patiently);
  }

  async #perform(cookieIn: Uint8Array): Promise<Uint8Array> {
    // QEMU alone would wait for a host that has vanished until TCP gives up, which takes a quarter of an hour.
    const lost = new AbortController();
    void this.#destination.closed.then((reason) => lost.abort(reason));
    const signal = this.#signal === undefined ? lost.signal : AbortSignal.any([this.#signal, lost.signal]);
    const job = { source: this.#source, domain: this.#domain, signal, clock: this.#clock };
    const args = { domain: this.#domain, params: this.#parameters, cookieIn, flags: this.#flags | this.#protection };
    const isOffline = (this.#flags & DomainMigrateFlags.offline) !== 0;
    try {
      return await abortJobOn(job, (options) =>
        isOffline ? Promise.resolve(NO_COOKIE) : this.#source.domainMigratePerform3Params(args, options),
      );
    } catch (error) {
      const failure = lost.signal.aborted
        ? destinationLost(this.#domain, lost.signal.reason, error)
        : await this.#cancelDestination(error);
      // A source that has answered has undone its part already; one that was never asked still waits.
      return hasAnswered(error) ? fail(failure) : this.#resumeSource(failure);
    }
  }

  async #finish(cookieIn: Uint8Array): Promise<MigrateResult> {
    const finished = await this.#destination
      .domainMigrateFinish3Params(this.#finishArgs(cookieIn, 0), patiently)
      .catch((error: unknown) =>
        hasNotHappened(error) ? this.#resumeSource(error) : fail(outcomeUnknown(this.#domain, error)),
      );
    const leftBehind = await this.#confirm(finished.cookieOut, false);
    return leftBehind === undefined ? { domain: finished.domain } : { domain: finished.domain, leftBehind };
  }

  /** Has the destination forget its half. Resolves with the error that led to this and what the destination adds. */
  async #cancelDestination(cause: unknown): Promise<unknown> {
    const args = this.#finishArgs(NO_COOKIE, 1);
    const said = await this.#destination.domainMigrateFinish3Params(args, patiently).catch((error: unknown) => error);
    return isExpectedOfCancelled(said) ? cause : alsoSaid(cause, 'the destination', said);
  }

  /** Lets the domain go on running on the source, and fails with what led to this. */
  async #resumeSource(error: unknown): Promise<never> {
    const confirmError = await this.#confirm(NO_COOKIE, true);
    return fail(confirmError === undefined ? error : alsoSaid(error, 'the source', confirmError));
  }

  /** Ends what `begin` started, and fails with what led to this. Only with protection has it started a job. */
  async #endBegun(error: unknown): Promise<never> {
    return this.#protection === 0 ? fail(error) : this.#resumeSource(error);
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

/** Whether the daemon surely did not carry a call out: it said so itself, or the call was never sent. */
function hasNotHappened(error: unknown): boolean {
  if (!isLibvirtError(error)) return false;
  return error.number !== undefined || error.code === 'queue-full' || error.code === 'invalid-arg';
}

function fail(error: unknown): never {
  throw error;
}

/** A destination that was told to forget the domain answers with an error that says that it has; older ones with any. */
function isExpectedOfCancelled(error: unknown): boolean {
  return !isLibvirtError(error) || ['migrate-finish-ok', 'no-domain', 'rpc'].includes(error.code);
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

function destinationLost(domain: Domain, reason: unknown, cause: unknown): LibvirtError {
  const why = isLibvirtError(reason) ? reason : undefined;
  const message = `the destination was lost while ${domain.name} moved; it goes on on the source (${why?.message ?? ''})`;
  const number = isLibvirtError(cause) ? cause.number : undefined;
  return new LibvirtError(why?.code ?? 'connection-lost', message, { cause, number });
}

function outcomeUnknown(domain: Domain, cause: unknown): LibvirtError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const message =
    `the destination did not say whether it has taken ${domain.name} over (${why}): it may or may not run there. ` +
    'The source keeps it paused; look at the destination before resuming it';
  return new LibvirtError(isLibvirtError(cause) ? cause.code : 'unknown', message, { cause });
}
