import { Duplex } from 'node:stream';

import { XdrReader } from '@smalt/xdr';

import { FrameSplitter } from '../src/rpc/frame-splitter.ts';
import { LENGTH_BYTES, messageType, readHeader, type MessageHeader } from '../src/rpc/message.ts';

/** A call as the daemon sees it. */
export interface MadeCall {
  readonly header: MessageHeader;
  readonly args: Buffer;
}

/** A socket without a network: what `receive` is given the client reads, and the calls it makes are kept. */
export class MemorySocket extends Duplex {
  readonly #calls: MadeCall[] = [];
  readonly #splitter = new FrameSplitter((bytes, start, end) => {
    const reader = new XdrReader(bytes, start + LENGTH_BYTES, end);
    const header = readHeader(reader);
    if (header.type === messageType.call) this.#calls.push({ header, args: reader.rest() });
  });

  receive(bytes: Buffer): void {
    this.push(bytes);
  }

  /** The calls since the last time, in their order. */
  takeCalls(): MadeCall[] {
    return this.#calls.splice(0);
  }

  override _read(): void {
    // Everything is pushed from outside.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#splitter.push(chunk);
    callback();
  }
}
