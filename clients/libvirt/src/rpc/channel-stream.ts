import type { XdrReader } from '@smalt/xdr';

import type { Clock } from '../clock.ts';
import { isLibvirtError, LibvirtError } from '../libvirt-error.ts';
import type { LibvirtStream, StreamHole } from '../libvirt-stream.ts';
import type { StreamProcedure } from '../procedure.ts';
import { aborted, lostDuring, undecodableReply } from './call-errors.ts';
import { MAX_STREAM_PACKET_BYTES, messageStatus, messageType, type MessageHeader } from './message.ts';
import type { Outgoing } from './outgoing.ts';
import { readRemoteError } from './read-error.ts';
import { StreamBuffer, type BufferLevel } from './stream-buffer.ts';

const HOLE_PACKET_BYTES = 12;
/** How long a daemon may take to confirm that it has given a stream up. */
const ABORT_WAIT_MS = 5000;

export interface ChannelStreamLink {
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  readonly maxBufferBytes: number;
  /** Whether the daemon was told that there may be holes. */
  readonly isSparse: boolean;
  /** Told when more is buffered than allowed, and when the reader has caught up. */
  readonly onLevel: (level: BufferLevel) => void;
  /** Told when the stream begins to wait for the daemon's confirmation, and when it gives that up. */
  readonly onFinishing: () => void;
  readonly onEnded: () => void;
}

/** One stream over a channel: the call's serial and procedure mark its packets in both directions. */
export class ChannelStream implements LibvirtStream {
  readonly #procedure: StreamProcedure<never, unknown>;
  readonly #serial: number;
  readonly #link: ChannelStreamLink;
  readonly #buffer: StreamBuffer;
  readonly #ended = Promise.withResolvers<void>();
  readonly #onSignal = (): void => this.#giveUp(this.#signal);
  /** Who waits for something that a failure of the stream rules out. */
  readonly #waiters = new Set<(error: LibvirtError) => void>();
  /** `abandoned`: nobody wants it any more, and the daemon may not have opened it yet. */
  #state: 'open' | 'finishing' | 'abandoned' | 'aborting' | 'ended' = 'open';
  #error: LibvirtError | undefined;
  #signal: AbortSignal | undefined;

  constructor(procedure: StreamProcedure<never, unknown>, serial: number, link: ChannelStreamLink) {
    this.#procedure = procedure;
    this.#serial = serial;
    this.#link = link;
    this.#buffer = new StreamBuffer(link.maxBufferBytes, link.onLevel);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array | StreamHole, void, undefined> {
    try {
      for (;;) {
        const item = this.#buffer.shift();
        if (item !== undefined) yield item;
        else if (this.#error !== undefined) throw this.#error;
        else if (this.#buffer.isComplete || this.#state === 'ended') break;
        else await this.#buffer.arrival();
      }
      await this.finish();
    } finally {
      // Not awaited: whoever leaves the loop need not wait until a slow daemon has confirmed.
      this.#giveUp();
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#checkWritable();
    if (bytes.length === 0) return;
    const taken = Promise.withResolvers<void>();
    for (let at = 0; at < bytes.length; at += MAX_STREAM_PACKET_BYTES) {
      const packet = bytes.subarray(at, at + MAX_STREAM_PACKET_BYTES);
      const isLast = at + packet.length === bytes.length;
      this.#link.outgoing.send(this.#header('stream', 'continue'), packet, isLast ? this.#settle(taken) : undefined);
    }
    await this.#unlessFailed(taken);
  }

  async writeHole(length: bigint): Promise<void> {
    this.#checkWritable();
    if (!this.#link.isSparse) throw this.#failure('operation-invalid', 'the stream was not opened as a sparse one');
    if (length <= 0n) throw this.#failure('invalid-arg', `a hole of ${length} bytes is not possible`);
    const packet = Buffer.alloc(HOLE_PACKET_BYTES);
    packet.writeBigInt64BE(length);
    const taken = Promise.withResolvers<void>();
    this.#link.outgoing.send(this.#header('streamHole', 'continue'), packet, this.#settle(taken));
    await this.#unlessFailed(taken);
  }

  async finish(): Promise<void> {
    this.#throwIfFailed();
    if (this.#state === 'open') {
      this.#state = 'finishing';
      this.#link.outgoing.add(this.#header('stream', 'ok'));
      this.#buffer.seal();
      this.#link.onFinishing();
    }
    const confirmed = Promise.withResolvers<void>();
    void this.#ended.promise.then(confirmed.resolve);
    await this.#unlessFailed(confirmed);
    this.#throwIfFailed();
  }

  async abort(): Promise<void> {
    this.#giveUp();
    const cancel = this.#link.clock.schedule(this.#ended.resolve, ABORT_WAIT_MS);
    await this.#ended.promise;
    cancel();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.abort();
  }

  /** Lets the caller's signal end the stream from now on. */
  follow(signal: AbortSignal | undefined): void {
    if (signal === undefined || this.#state === 'ended') return;
    this.#signal = signal;
    if (signal.aborted) this.#giveUp(signal);
    else signal.addEventListener('abort', this.#onSignal, { once: true });
  }

  /** Takes one packet of the daemon. */
  receive(header: MessageHeader, reader: XdrReader): void {
    try {
      this.#take(header, reader);
    } catch (error) {
      this.#error ??= undecodableReply(this.#procedure.name, error);
      this.#giveUp();
      this.#end();
    }
  }

  /** Nobody waits for the reply that opens the stream: it is aborted as soon as the daemon turns out to have opened it. */
  abandon(): void {
    if (!this.#buffer.isEmpty) this.#giveUp();
    else if (this.#state === 'open') this.#state = 'abandoned';
  }

  /** The call that should have opened the stream failed. */
  discard(error: unknown): void {
    if (this.#state === 'abandoned') return;
    // A reply that cannot be decoded is still one: the daemon has opened the stream.
    if (isLibvirtError(error, 'protocol')) this.#giveUp();
    else this.#end();
  }

  /** Whether somebody waits for the daemon to confirm the end. */
  get isFinishing(): boolean {
    return this.#state === 'finishing';
  }

  /** Resolves when the daemon has confirmed the end, at once if nobody has asked for it. */
  async whenFinished(): Promise<void> {
    if (this.isFinishing) await this.#ended.promise;
  }

  /** The connection is gone. */
  lose(reason: LibvirtError): void {
    this.#end(lostDuring(this.#procedure.name, reason));
  }

  #take(header: MessageHeader, reader: XdrReader): void {
    if (header.status === messageStatus.error) {
      this.#end(readRemoteError(reader, this.#procedure));
      return;
    }
    if (this.#state === 'abandoned') this.#abortAtDaemon();
    if (header.type === messageType.reply) {
      if (this.#state !== 'aborting') throw new TypeError('a second reply was not expected');
      return;
    }
    if (header.status === messageStatus.ok && this.#state !== 'open') {
      this.#end();
      return;
    }
    if (header.status !== messageStatus.continue) throw new TypeError(`status ${header.status} was not expected`);
    if (this.#state === 'open')
      this.#buffer.push(header.type === messageType.stream ? reader.rest() : readHole(reader));
  }

  /** Tells the daemon to stop, and whoever still reads that not all of it came. */
  #giveUp(signal?: AbortSignal): void {
    if (this.#state !== 'open' && this.#state !== 'finishing') return;
    this.#fail(aborted(this.#procedure.name, signal));
    this.#abortAtDaemon();
    this.#buffer.clear();
    this.#link.onFinishing();
  }

  #abortAtDaemon(): void {
    this.#state = 'aborting';
    this.#link.outgoing.add(this.#header('stream', 'error'));
  }

  #end(error?: LibvirtError): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    if (error !== undefined) this.#fail(error);
    this.#signal?.removeEventListener('abort', this.#onSignal);
    this.#buffer.seal();
    this.#buffer.wake();
    this.#link.onEnded();
    this.#ended.resolve();
  }

  #fail(error: LibvirtError): void {
    this.#error ??= error;
    for (const reject of this.#waiters) reject(this.#error);
  }

  // Not a race of promises: each one lost would stay in the memory of the other until the stream ends.
  async #unlessFailed({ promise, reject }: PromiseWithResolvers<void>): Promise<void> {
    this.#waiters.add(reject);
    try {
      await promise;
    } finally {
      this.#waiters.delete(reject);
    }
  }

  #throwIfFailed(): void {
    if (this.#error !== undefined) throw this.#error;
  }

  #checkWritable(): void {
    this.#throwIfFailed();
    if (this.#procedure.stream === 'read') throw this.#failure('operation-invalid', 'the stream can only be read');
    if (this.#state !== 'open') throw this.#failure('operation-invalid', 'the stream has been finished');
  }

  #settle(taken: PromiseWithResolvers<void>): (error?: Error | null) => void {
    return (cause) => {
      if (!cause) taken.resolve();
      else taken.reject(this.#error ?? this.#failure('connection-lost', 'the socket broke', cause));
    };
  }

  #failure(code: 'connection-lost' | 'invalid-arg' | 'operation-invalid', what: string, cause?: Error): LibvirtError {
    const { name } = this.#procedure;
    return new LibvirtError(code, `${name}: ${what}`, { procedure: name, cause });
  }

  #header(type: 'stream' | 'streamHole', status: keyof typeof messageStatus): MessageHeader {
    return {
      program: this.#procedure.program,
      procedure: this.#procedure.number,
      type: messageType[type],
      serial: this.#serial,
      status: messageStatus[status],
    };
  }
}

function readHole(reader: XdrReader): StreamHole {
  const hole = reader.int64();
  reader.uint32();
  reader.end();
  if (hole <= 0n) throw new RangeError(`a hole of ${hole} bytes`);
  return { hole };
}
