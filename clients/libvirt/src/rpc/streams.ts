import type { Duplex } from 'node:stream';

import type { XdrReader } from '@smalt/xdr';

import type { LibvirtError } from '../libvirt-error.ts';
import type { StreamProcedure } from '../procedure.ts';
import { ChannelStream } from './channel-stream.ts';
import { isSparseStream } from './is-sparse-stream.ts';
import type { MessageHeader } from './message.ts';
import type { Outgoing } from './outgoing.ts';
import type { SpentSerials } from './spent-serials.ts';

export interface StreamsOptions {
  readonly socket: Duplex;
  readonly outgoing: Outgoing;
  readonly spent: SpentSerials;
  readonly maxBufferBytes: number;
  /** Told when reading from the socket stops because a stream is not being read, and when it goes on. */
  readonly onPaused: (isPaused: boolean) => void;
}

/** The open streams of one connection. */
export class Streams {
  readonly #options: StreamsOptions;
  readonly #streams = new Map<number, ChannelStream>();
  readonly #full = new Set<ChannelStream>();

  constructor(options: StreamsOptions) {
    this.#options = options;
  }

  /** Whether reading from the socket stands still. */
  get isPaused(): boolean {
    return this.#full.size > 0;
  }

  /** Makes the stream known before its call is sent: the daemon may send the first packet even before its reply. */
  add<Args>(procedure: StreamProcedure<Args, unknown>, args: Args, serial: number): ChannelStream {
    const stream: ChannelStream = new ChannelStream(procedure, serial, {
      outgoing: this.#options.outgoing,
      maxBufferBytes: this.#options.maxBufferBytes,
      isSparse: isSparseStream(procedure, args),
      onFull: (isFull) => this.#setFull(stream, isFull),
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

  failAll(reason: LibvirtError): void {
    for (const stream of this.#streams.values()) stream.lose(reason);
  }

  #remove(stream: ChannelStream, serial: number): void {
    this.#streams.delete(serial);
    this.#options.spent.add(serial);
    this.#setFull(stream, false);
  }

  #setFull(stream: ChannelStream, isFull: boolean): void {
    const wasPaused = this.#full.size > 0;
    if (isFull) this.#full.add(stream);
    else this.#full.delete(stream);
    const isPaused = this.#full.size > 0;
    if (isPaused === wasPaused) return;

    if (isPaused) this.#options.socket.pause();
    else this.#options.socket.resume();
    this.#options.onPaused(isPaused);
  }
}
