import { Duplex } from 'node:stream';

/** A socket without a network: what the client writes is dropped, what `receive` is given the client reads. */
export class MemorySocket extends Duplex {
  receive(bytes: Buffer): void {
    this.push(bytes);
  }

  override _read(): void {
    // Everything is pushed from outside.
  }

  override _write(_chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    callback();
  }
}
