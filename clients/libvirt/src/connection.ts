import { checkCloseOptions, closeTimeoutMs, type CloseOptions } from './close-options.ts';
import { ConnectionEvents } from './events/connection-events.ts';
import type { EventHub } from './events/event-hub.ts';
import { procedures } from './generated/procedures.gen.ts';
import { isLibvirtError, LibvirtError } from './libvirt-error.ts';
import type { OpenedStream } from './libvirt-stream.ts';
import type { CallOptions, Procedure, StreamProcedure } from './procedure.ts';
import { lostDuring } from './rpc/call-errors.ts';
import type { Channel } from './rpc/channel.ts';
import { isLongProcedure, type LongCalls } from './rpc/long-calls.ts';

/**
 * One open connection to one daemon, with a method for every call. It does not come back when it is lost: that is
 * what a session is for.
 */
export class Connection extends ConnectionEvents implements AsyncDisposable {
  /** What was connected to. */
  readonly uri: string;
  /** Resolves with the reason when the connection has ended, whoever ended it. Never rejects. */
  readonly closed: Promise<LibvirtError>;
  protected override readonly channel: Channel;
  protected override readonly events: EventHub;
  readonly #longCalls: LongCalls;
  #refusal: LibvirtError | undefined;
  #closing: Promise<void> | undefined;

  constructor(uri: string, channel: Channel, events: EventHub, longCalls: LongCalls) {
    super();
    this.#longCalls = longCalls;
    this.uri = uri;
    this.channel = channel;
    this.events = events;
    this.closed = channel.closed;
  }

  /** Why the connection ended; undefined while it works. */
  get reason(): LibvirtError | undefined {
    return this.channel.reason;
  }

  /** How many calls wait for their reply. */
  get pendingCalls(): number {
    return this.channel.pendingCalls;
  }

  /** How many odd things were seen; `onWarning` was told of each. */
  get warnings(): number {
    return this.channel.warnings;
  }

  /** Calls any procedure; the methods are what one usually wants. */
  override call<Args, Result>(procedure: Procedure<Args, Result>, args: Args, options?: CallOptions): Promise<Result> {
    if (this.#refusal !== undefined) return Promise.reject(lostDuring(procedure.name, this.#refusal));
    if (isLongProcedure(procedure.name)) return this.#callInTurn(procedure, args, options);
    return this.channel.call(procedure, args, options);
  }

  /** Calls any procedure that opens a stream. */
  override openStream<Args, Result>(
    procedure: StreamProcedure<Args, Result>,
    args: Args,
    options?: CallOptions,
  ): Promise<OpenedStream<Result>> {
    if (this.#refusal !== undefined) return Promise.reject(lostDuring(procedure.name, this.#refusal));
    return this.channel.openStream(procedure, args, options);
  }

  /**
   * Takes no more calls, lets those under way and the streams that are being finished come to their end, says goodbye
   * to the daemon and ends the socket. Calls that wait for their turn, and streams that are still read or written, fail
   * with `closed`. Whatever it is given, the socket has ended when it settles.
   */
  async close(options: CloseOptions = {}): Promise<void> {
    this.#refusal ??= new LibvirtError('closed', 'the connection was closed');
    this.#longCalls.refuse(this.#refusal);
    this.#closing ??= this.#shutDown(closeTimeoutMs(options));
    await this.#closing;
    checkCloseOptions(options);
  }

  /** Ends the connection at once. Everything that waits fails with `reason`. */
  destroy(reason: LibvirtError = new LibvirtError('closed', 'the connection was closed')): void {
    this.channel.destroy(reason);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #callInTurn<Args, Result>(
    procedure: Procedure<Args, Result>,
    args: Args,
    options: CallOptions = {},
  ): Promise<Result> {
    return this.#longCalls.run(procedure.name, options, (rest) => this.channel.follow(procedure, args, rest));
  }

  async #shutDown(timeoutMs: number): Promise<void> {
    try {
      if (await this.#isIdleWithin(timeoutMs)) await this.#sayGoodbye(timeoutMs);
    } finally {
      this.destroy(this.#refusal);
    }
  }

  async #isIdleWithin(timeoutMs: number): Promise<boolean> {
    const { channel } = this;
    const late = Promise.withResolvers<false>();
    const cancel = channel.clock.schedule(() => late.resolve(false), timeoutMs);
    const isIdle = await Promise.race([channel.whenIdle().then(() => true), late.promise]);
    cancel();
    return isIdle;
  }

  async #sayGoodbye(timeoutMs: number): Promise<void> {
    try {
      await this.channel.call(procedures.connectClose, undefined, { timeoutMs });
    } catch (error) {
      // The daemon is gone, does not answer or takes no more bytes: it will notice the end of the socket all the same.
      if (!isLibvirtError(error)) throw error;
    }
  }
}
