import type { Duplex } from 'node:stream';

import { XdrReader } from '@smalt/xdr';

import { spin, systemClock, type Clock } from '../clock.ts';
import { LibvirtError } from '../libvirt-error.ts';
import type { OpenedStream } from '../libvirt-stream.ts';
import type { LibvirtWarning } from '../libvirt-warning.ts';
import type { CallOptions, Procedure, StreamProcedure } from '../procedure.ts';
import * as errors from './call-errors.ts';
import { BusyPoll } from './busy-poll.ts';
import type { ChannelOptions } from './channel-options.ts';
import { FrameSplitter } from './frame-splitter.ts';
import { Keepalive } from './keepalive.ts';
import {
  keepaliveHeader,
  keepaliveProcedure,
  keepaliveProgram,
  LENGTH_BYTES,
  messageStatus,
  messageType,
  readHeader,
  type MessageHeader,
} from './message.ts';
import { Outgoing } from './outgoing.ts';
import { Call, type FollowedCall, type PendingCall } from './pending-call.ts';
import { PendingCalls } from './pending-calls.ts';
import { readRemoteError } from './read-error.ts';
import { SpentSerials } from './spent-serials.ts';
import { Streams } from './streams.ts';

const MAX_BYTES_BEFORE_PONG = 65_536;
const MAX_SERIAL = 0xffff_ffff;
const DEFAULT_BUSY_POLL_MICROSECONDS = 2000;

/**
 * Calls and their replies over one socket. Calls are pipelined, replies may come in any order, and when the socket is
 * lost every waiting call fails with the reason.
 */
export class Channel {
  /** Resolves with the reason when the channel has come to its end, whoever ended it. Never rejects. */
  readonly closed: Promise<LibvirtError>;
  readonly #options: ChannelOptions;
  /** The time that everything on this channel goes by. */
  readonly clock: Clock;
  readonly #socket: Duplex;
  readonly #outgoing: Outgoing;
  readonly #pending: PendingCalls;
  readonly #streams: Streams;
  readonly #spent = new SpentSerials();
  readonly #splitter: FrameSplitter;
  readonly #keepalive: Keepalive | undefined;
  readonly #busyPoll: BusyPoll;
  readonly #resolveClosed: (reason: LibvirtError) => void;
  readonly #maxPendingCalls: number;
  readonly #maxWaitingBytes: number;
  #serial: number;
  #hasWrapped = false;
  #warnings = 0;
  #reason: LibvirtError | undefined;

  constructor(socket: Duplex, options: ChannelOptions) {
    this.#options = options;
    this.#serial = options.firstSerial === undefined ? 0 : options.firstSerial - 1;
    this.clock = options.clock ?? systemClock;
    this.#maxPendingCalls = options.maxPendingCalls ?? 10_000;
    this.#maxWaitingBytes = options.maxWaitingBytes ?? 67_108_864;
    this.#socket = socket;
    this.#outgoing = new Outgoing(socket);
    const busyPollMs = (options.busyPollMicroseconds ?? DEFAULT_BUSY_POLL_MICROSECONDS) / 1000;
    this.#busyPoll = new BusyPoll(busyPollMs, this.clock, { waiting: () => this.#pending.size, pause: spin });
    this.#pending = new PendingCalls(this.clock, (call) => this.#giveUpOn(call));
    this.#splitter = new FrameSplitter((bytes, start, end) => this.#onFrame(bytes, start, end));
    this.#streams = new Streams({
      socket,
      outgoing: this.#outgoing,
      spent: this.#spent,
      clock: this.clock,
      maxBufferBytes: options.maxStreamBufferBytes ?? 4_194_304,
      hasPendingCalls: () => this.#pending.size > 0,
      onPaused: (isPaused) => this.#keepalive?.suspend(isPaused),
    });
    const { promise, resolve } = Promise.withResolvers<LibvirtError>();
    this.closed = promise;
    this.#resolveClosed = resolve;
    this.#keepalive = this.#watchDaemon();
    this.#attach();
  }

  /** How many calls wait for their reply. */
  get pendingCalls(): number {
    return this.#pending.size;
  }

  /** How many odd things were seen; `onWarning` was told of each. */
  get warnings(): number {
    return this.#warnings;
  }

  /** Whether nothing is read because a stream has more than its reader takes. */
  get isPaused(): boolean {
    return this.#streams.isPaused;
  }

  /** Why the channel ended; undefined while it works. */
  get reason(): LibvirtError | undefined {
    return this.#reason;
  }

  /**
   * Calls a procedure. `onReply` runs before anything that lies behind the reply is looked at: what must not miss the
   * next message has to be in place by then, and the promise resolves only later.
   */
  // Not an async function: one promise per call is enough on the hottest path there is.
  call<Args, Result>(
    procedure: Procedure<Args, Result>,
    args: Args,
    options?: CallOptions,
    onReply?: (result: Result) => void,
  ): Promise<Result> {
    const call = new Call(this.#nextSerial(), procedure);
    call.onReply = onReply;
    this.#start(call, procedure, args, options);
    return call.promise;
  }

  /** Calls a procedure, and tells when the daemon is done with it: that may be long after the caller gave up. */
  follow<Args, Result>(procedure: Procedure<Args, Result>, args: Args, options?: CallOptions): FollowedCall<Result> {
    const call = new Call(this.#nextSerial(), procedure);
    const { promise: done, resolve } = Promise.withResolvers<void>();
    call.onDone = resolve;
    this.#start(call, procedure, args, options);
    return { reply: call.promise, done };
  }

  /** Calls a procedure that opens a stream. The signal stays in charge of the stream until that has ended. */
  async openStream<Args, Result>(
    procedure: StreamProcedure<Args, Result>,
    args: Args,
    options: CallOptions = {},
  ): Promise<OpenedStream<Result>> {
    const call = new Call(this.#nextSerial(), procedure);
    const stream = this.#streams.add(procedure, args, call.serial);
    this.#start(call, procedure, args, options);
    try {
      const result = await call.promise;
      stream.follow(options.signal);
      return { result, stream };
    } catch (error) {
      stream.discard(error);
      throw error;
    }
  }

  /** Resolves when every call has had its reply, and every stream that is being finished its confirmation. */
  async whenIdle(): Promise<void> {
    await this.#pending.whenEmpty();
    await this.#streams.whenFinished();
  }

  /** Ends the channel at once: every waiting call and every stream learns the reason. */
  destroy(reason: LibvirtError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#keepalive?.stop();
    this.#socket.destroy();
    this.#pending.failAll((call) => errors.lostDuring(call.procedure.name, reason));
    this.#streams.failAll(reason);
    this.#spent.release();
    this.#resolveClosed(reason);
  }

  /** Takes what came in. Nothing of the chunk is kept, so its memory may be used again. */
  receive(chunk: Buffer): void {
    this.#keepalive?.heard();
    this.#busyPoll.heard();
    try {
      this.#splitter.push(chunk);
    } catch (error) {
      this.destroy(error instanceof LibvirtError ? error : errors.protocolError('a message cannot be read', error));
    }
  }

  #nextSerial(): number {
    if (this.#serial === MAX_SERIAL) {
      this.#serial = 0;
      this.#hasWrapped = true;
      this.#spent.restart();
    }
    this.#serial++;
    // After two busy days serials start over, and a call or a stream of the first day may still be open.
    if (this.#hasWrapped && this.#isInUse(this.#serial)) return this.#nextSerial();
    return this.#serial;
  }

  #isInUse(serial: number): boolean {
    return this.#pending.get(serial) !== undefined || this.#streams.has(serial);
  }

  #start<Args, Result>(
    call: Call<Result>,
    procedure: Procedure<Args, Result>,
    args: Args,
    options: CallOptions | undefined,
  ): void {
    const refusal = this.#refusal(procedure, options);
    if (refusal !== undefined) {
      call.fail(refusal);
      return;
    }
    try {
      this.#outgoing.addCall(procedure, call.serial, args);
    } catch (error) {
      call.fail(errors.invalidArguments(procedure.name, error));
      return;
    }
    this.#limit(call, options);
    this.#pending.add(call);
    options?.onSent?.();
    this.#busyPoll.sent();
    if (this.#streams.isAnyFull) this.#streams.update();
  }

  #refusal(procedure: Procedure<never, unknown>, options: CallOptions | undefined): LibvirtError | undefined {
    if (this.#reason !== undefined) return errors.lostDuring(procedure.name, this.#reason);
    if (options?.signal?.aborted === true) return errors.aborted(procedure.name, options.signal);
    if (options?.timeoutMs !== undefined && !(options.timeoutMs >= 0)) {
      return errors.invalidArguments(procedure.name, `timeoutMs: ${options.timeoutMs} is not a time`);
    }
    if (this.#pending.size >= this.#maxPendingCalls) {
      return errors.queueFull(procedure.name, `${this.#pending.size} calls wait for their reply`);
    }
    if (this.#outgoing.waitingBytes > this.#maxWaitingBytes) {
      return errors.queueFull(procedure.name, `${this.#outgoing.waitingBytes} bytes wait for the socket`);
    }
    return procedure.passesFileDescriptors === true ? errors.withoutDescriptors(procedure.name) : undefined;
  }

  #limit<Result>(call: Call<Result>, options: CallOptions | undefined): void {
    const timeoutMs = options?.timeoutMs ?? this.#options.callTimeoutMs;
    if (timeoutMs !== undefined) call.expireAfter(timeoutMs, this.clock.now());
    const signal = options?.signal;
    if (signal === undefined) return;
    call.listen(signal, () => {
      if (!this.#pending.delete(call.serial)) return;
      this.#giveUpOn(call);
      call.giveUp(errors.aborted(call.procedure.name, signal));
    });
  }

  /** Nobody waits for the reply any more; it may come all the same. */
  #giveUpOn({ serial, onDone }: PendingCall): void {
    this.#spent.add(serial, onDone);
    this.#streams.abandon(serial);
  }

  #attach(): void {
    const socket = this.#socket;
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('error', (cause) => this.destroy(errors.lost(`the connection broke: ${cause.message}`, cause)));
    socket.on('end', () => this.destroy(errors.lost('the daemon closed the connection')));
    socket.on('close', () => this.destroy(errors.lost('the connection was closed')));
    if (socket.destroyed) this.destroy(errors.lost('the connection was closed'));
    else socket.resume();
  }

  #watchDaemon(): Keepalive | undefined {
    if (this.#options.keepalive === false) return undefined;
    return new Keepalive(this.#options.keepalive ?? {}, {
      clock: this.clock,
      ping: () => this.#outgoing.add(keepaliveHeader('ping')),
      onDead: (silentMs) => {
        const message = `the daemon has not been heard of for ${Math.round(silentMs)} ms`;
        this.destroy(new LibvirtError('keepalive-timeout', message));
      },
    });
  }

  #onFrame(bytes: Buffer, start: number, end: number): void {
    if (this.#reason !== undefined) return;
    const reader = new XdrReader(bytes, start + LENGTH_BYTES, end);
    const header = readHeader(reader);
    switch (header.type) {
      case messageType.reply:
        this.#onReply(header, reader);
        break;
      case messageType.message:
        this.#onMessage(header, reader);
        break;
      case messageType.stream:
      case messageType.streamHole:
        if (!this.#streams.receive(header, reader)) this.#checkSpent(header, 'stream packet');
        break;
      default:
        throw errors.protocolError(`the daemon sent a message of type ${header.type}, which does not exist`);
    }
  }

  #onReply(header: MessageHeader, reader: XdrReader): void {
    const call = this.#pending.get(header.serial);
    if (call === undefined) {
      this.#onStrayReply(header, reader);
      return;
    }
    const { name, number, program } = call.procedure;
    if (header.procedure !== number || header.program !== program || header.status > messageStatus.error) {
      const what = `procedure ${header.procedure} with status ${header.status}`;
      throw errors.protocolError(`the daemon answered ${name} with a reply to ${what}`);
    }

    this.#pending.delete(header.serial);
    try {
      if (header.status === messageStatus.ok) call.accept(reader);
      else call.fail(readRemoteError(reader, call.procedure));
    } catch (error) {
      call.fail(errors.undecodableReply(name, error));
    }
    if (this.#streams.isAnyFull) this.#streams.update();
  }

  // A stream that cannot take a hole is told so with a reply, not with a packet.
  #onStrayReply(header: MessageHeader, reader: XdrReader): void {
    if (!this.#streams.receive(header, reader)) this.#checkSpent(header, 'reply');
    else if (header.status === messageStatus.error) return;
    this.#spent.answered(header.serial);
    this.warn({ kind: 'late-reply', message: `a reply to call ${header.serial} came after it had been given up` });
  }

  #checkSpent(header: MessageHeader, what: string): void {
    if (this.#spent.has(header.serial)) return;
    throw errors.protocolError(`the daemon sent a ${what} for call ${header.serial}, which was never made`);
  }

  #onMessage(header: MessageHeader, reader: XdrReader): void {
    if (header.program === keepaliveProgram) {
      // A daemon that reads nothing gets no more answers; to one that does read, what waits already says as much.
      const isHeard = this.#outgoing.waitingBytes <= MAX_BYTES_BEFORE_PONG;
      if (header.procedure === keepaliveProcedure.ping && isHeard) this.#outgoing.add(keepaliveHeader('pong'));
      return;
    }
    this.#options.onEvent(header, reader);
  }

  /** Counts something odd, and tells whoever wants to know. */
  warn(warning: LibvirtWarning): void {
    this.#warnings++;
    const { onWarning } = this.#options;
    // Later: what the listener throws must not look like a fault of the message that is being read.
    if (onWarning !== undefined) queueMicrotask(() => onWarning(warning));
  }
}
