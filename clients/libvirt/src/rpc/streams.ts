import type { Duplex } from 'node:stream';

import type { XdrReader } from '@smalt/xdr';

import type { Clock } from '../clock.ts';
import type { LibvirtError } from '../libvirt-error.ts';
import type { StreamProcedure } from '../procedure.ts';
import { ChannelStream } from './channel-stream.ts';
import { isSparseStream } from './is-sparse-stream.ts';
import type { MessageHeader } from './message.ts';
import type { Outgoing } from './outgoing.ts';
import type { SpentSerials } from './spent-serials.ts';
import type { BufferLevel } from './stream-buffer.ts';

export interface StreamsOptions {
  readonly socket: Duplex;
  readonly outgoing: Outgoing;
  readonly spent: SpentSerials;
  readonly clock: Clock;
  readonly maxBufferBytes: number;
  /** Whether a caller waits for a reply, which may lie behind the data of a stream. */
  readonly hasPendingCalls: () => boolean;
  /** Told when reading from the socket stops because a stream is not being read, and when it goes on. */
  readonly onPaused: (isPaused: boolean) => void;
}

/** The open streams of one connection. */
export class Streams {
  readonly #options: StreamsOptions;
  readonly #streams = new Map<number, ChannelStream>();
  /** The streams that are not free, by how full they are. */
  readonly #levels = new Map<ChannelStream, BufferLevel>();
  #isPaused = false;

  constructor(options: StreamsOptions) {
    this.#options = options;
  }

  /** Whether reading from the socket stands still. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Whether some stream has more than its reader takes. */
  get isAnyFull(): boolean {
    return this.#levels.size > 0;
  }

  /** Makes the stream known before its call is sent: the daemon may send the first packet even before its reply. */
  add<Args>(procedure: StreamProcedure<Args, unknown>, args: Args, serial: number): ChannelStream {
    const stream: ChannelStream = new ChannelStream(procedure, serial, {
      outgoing: this.#options.outgoing,
      clock: this.#options.clock,
      maxBufferBytes: this.#options.maxBufferBytes,
      isSparse: isSparseStream(procedure, args),
      onLevel: (level) => this.#setLevel(stream, level),
      onFinishing: () => this.update(),
      onEnded: () => this.#remove(stream, serial),
    });
    this.#streams.set(serial, stream);
    return stream;
  }

  /** Hands a packet to its stream. Returns whether there was such a stream. */
  receive(header: MessageHeader, reader: XdrReader): boolean {
    const stream = this.#streams.get(header.serial);
    stream?.receive(header, reader);
    return stream !== undefined;
  }

  has(serial: number): boolean {
    return this.#streams.has(serial);
  }

  /** The caller no longer waits for the reply that should open the stream. */
  abandon(serial: number): void {
    this.#streams.get(serial)?.abandon();
  }

  /** Resolves when the daemon has confirmed every stream that is being finished. */
  async whenFinished(): Promise<void> {
    await Promise.all([...this.#streams.values()].map((stream) => stream.whenFinished()));
  }

  failAll(reason: LibvirtError): void {
    for (const stream of this.#streams.values()) stream.lose(reason);
  }

  /**
   * Reads from the socket, or does not. With a full stream nothing is read, unless a call or the end of another stream
   * is waited for: the reply lies behind the data, and a reader that waits for it between two packets would wait for
   * itself.
   */
  update(): void {
    const levels = [...this.#levels.values()];
    const isPaused = levels.includes('overfull') || (levels.length > 0 && !this.#isReplyAwaited());
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    if (isPaused) this.#options.socket.pause();
    else this.#options.socket.resume();
    this.#options.onPaused(isPaused);
  }

  #isReplyAwaited(): boolean {
    return this.#options.hasPendingCalls() || [...this.#streams.values()].some((stream) => stream.isFinishing);
  }

  #remove(stream: ChannelStream, serial: number): void {
    this.#streams.delete(serial);
    this.#options.spent.add(serial);
    this.#setLevel(stream, 'free');
  }

  #setLevel(stream: ChannelStream, level: BufferLevel): void {
    if (level === 'free') this.#levels.delete(stream);
    else this.#levels.set(stream, level);
    this.update();
  }
}
