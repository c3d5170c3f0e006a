import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

import { XdrError, XdrWriter } from '@smalt/xdr';

import type { Procedure } from '../procedure.ts';
import type { MessageSink } from './message-sink.ts';
import { MAX_MESSAGE_BYTES, messageStatus, messageType, PROGRAM_VERSION, type MessageHeader } from './message.ts';
import { PlainSink } from './plain-sink.ts';
import { RecordSink } from './record-sink.ts';

/**
 * Messages on their way out. All that are added before the event loop goes on leave in one write to the socket, so a
 * lone call is not delayed and, without TLS, a thousand calls are not a thousand writes.
 */
export class Outgoing {
  readonly #sink: MessageSink;
  readonly #writer = new XdrWriter();
  readonly #flush = (): void => this.flush();
  #isFlushDue = false;

  constructor(socket: Duplex) {
    this.#sink = socket instanceof TLSSocket ? new RecordSink(socket) : new PlainSink(socket);
  }

  /** How many bytes the socket has not taken yet. */
  get waitingBytes(): number {
    return this.#writer.length + this.#sink.waitingBytes;
  }

  /** Adds a call. Throws an XdrError, and sends nothing of it, when its arguments cannot go over the wire. */
  addCall<Args>(procedure: Procedure<Args, unknown>, serial: number, args: Args): void {
    const writer = this.#writer;
    const start = writer.length;
    try {
      this.#header(procedure.program, procedure.number, messageType.call, serial, messageStatus.ok);
      procedure.writeArgs(writer, args);
      const length = writer.length - start;
      if (length > MAX_MESSAGE_BYTES) throw new XdrError('too-long', `a message of ${length} bytes is too long`);
      writer.patchUint32(start, length);
    } catch (error) {
      writer.truncate(start);
      throw error;
    }
    this.#flushSoon();
  }

  /** Adds a message with a small payload, which `writePayload` adds. */
  add(header: MessageHeader, writePayload?: (writer: XdrWriter) => void): void {
    const start = this.#writer.length;
    this.#header(header.program, header.procedure, header.type, header.serial, header.status);
    writePayload?.(this.#writer);
    this.#writer.patchUint32(start, this.#writer.length - start);
    this.#flushSoon();
  }

  /** Sends a message with a large payload, and calls back when the socket took it or broke. */
  send(header: MessageHeader, payload: Uint8Array, onTaken?: (error?: Error | null) => void): void {
    this.flush();
    this.#header(header.program, header.procedure, header.type, header.serial, header.status);
    this.#writer.patchUint32(0, this.#writer.length + payload.length);
    this.#sink.writeParts(this.#writer.take(), payload, onTaken);
  }

  /** Sends what has been added so far. */
  flush(): void {
    this.#isFlushDue = false;
    if (this.#writer.length > 0) this.#sink.write(this.#writer.take());
  }

  // A tick runs when all promise reactions have run, so the calls that many awaiting callers make are in one write.
  #flushSoon(): void {
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    process.nextTick(this.#flush);
  }

  // eslint-disable-next-line max-params -- an object per call would be garbage on the hottest path there is
  #header(program: number, procedure: number, type: number, serial: number, status: number): void {
    const writer = this.#writer;
    writer.uint32(0);
    writer.uint32(program);
    writer.uint32(PROGRAM_VERSION);
    writer.int32(procedure);
    writer.uint32(type);
    writer.uint32(serial);
    writer.uint32(status);
  }
}
