import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';

import { encodeFrame, Opcode } from './encode-frame.ts';
import { FrameReader, type FramePart } from './frame-reader.ts';
import { isWebSocketError, WebSocketError } from './web-socket-error.ts';

export interface WebSocketStreamOptions {
  readonly isServer: boolean;
  /** What the other side has sent already, behind the handshake. */
  readonly head: Uint8Array;
  /** The subprotocol that both have agreed on; empty for none. */
  readonly protocol: string;
}

const MOST_FRAME_BYTES = 65_536;
const MOST_REASON_BYTES = 123;
/** How long the other side may take to say goodbye. */
const CLOSE_MS = 2_000;
const NORMAL = 1000;
const PROTOCOL_ERROR = 1002;
const TOO_BIG = 1009;

/**
 * A WebSocket as two flows of bytes, or of texts. Iterating reads, once; it ends when the other side closes in order, and throws when the
 * connection is lost. Who does not iterate answers no pings. Little is kept: a slow reader slows the sender down.
 */
export class WebSocketStream implements AsyncIterable<Uint8Array>, AsyncDisposable {
  readonly protocol: string;
  readonly #socket: Duplex;
  readonly #isServer: boolean;
  readonly #reader: FrameReader;
  #hasClosed = false;

  constructor(socket: Duplex, { isServer, head, protocol }: WebSocketStreamOptions) {
    this.protocol = protocol;
    this.#socket = socket;
    this.#isServer = isServer;
    this.#reader = new FrameReader(isServer);
    // Errors are told by whoever reads or writes; without a listener they would end the process.
    socket.on('error', () => undefined);
    if (head.length > 0) socket.unshift(head);
  }

  /** Resolves when the socket took the bytes, so that awaiting each write bounds the memory in use. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length; start += MOST_FRAME_BYTES) {
      await this.#send(Opcode.binary, bytes.subarray(start, start + MOST_FRAME_BYTES));
    }
  }

  /** Sends a text as one message. Resolves when the socket took it. */
  async writeText(text: string): Promise<void> {
    await this.#send(Opcode.text, Buffer.from(text, 'utf8'));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for await (const part of this.#data()) if (part.kind === 'data') yield part.bytes;
  }

  /** Reads whole messages as text, in the place of iterating. One that is longer is the end: `protocol`, after a goodbye. */
  async *messages(mostBytes: number): AsyncGenerator<string, void> {
    let pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of this.#data()) {
      if (part.kind === 'end') {
        yield Buffer.concat(pieces).toString('utf8');
        [pieces, bytes] = [[], 0];
        continue;
      }
      pieces.push(part.bytes);
      bytes += part.bytes.length;
      if (bytes <= mostBytes) continue;
      const message = `a message is longer than ${mostBytes} bytes`;
      await this.close(TOO_BIG, message);
      throw new WebSocketError('protocol', message);
    }
  }

  async *#data(): AsyncGenerator<FramePart & { readonly kind: 'data' | 'end' }, void> {
    try {
      for await (const part of this.#parts()) {
        if (part.kind === 'data' || part.kind === 'end') yield part;
        if (part.kind === 'ping') await this.#send(Opcode.pong, part.payload);
        if (part.kind === 'close') return await this.#answerClose(part);
      }
    } catch (error) {
      if (isWebSocketError(error, 'protocol')) await this.close(PROTOCOL_ERROR, 'no frame');
      throw error;
    }
    throw new WebSocketError('connection', 'the connection was lost');
  }

  /** Says goodbye, waits a moment for the same from the other side, and ends the connection. Harmless when it has ended. */
  async close(closeCode: number = NORMAL, reason = ''): Promise<void> {
    await this.#sendClose(closeCode, reason);
    if (this.#socket.destroyed) return;
    await this.#untilEnded();
    this.#socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Ends the connection without a word. */
  destroy(): void {
    this.#socket.destroy();
  }

  async *#parts(): AsyncGenerator<FramePart> {
    try {
      for await (const chunk of this.#socket.iterator({ destroyOnReturn: false })) {
        if (!(chunk instanceof Uint8Array)) throw new TypeError('a socket gives bytes');
        yield* this.#reader.push(chunk);
      }
    } catch (error) {
      if (error instanceof WebSocketError || error instanceof TypeError) throw error;
      throw new WebSocketError('connection', 'the connection was lost', { cause: error });
    }
  }

  async #answerClose({ closeCode, reason }: FramePart & { kind: 'close' }): Promise<void> {
    await this.#sendClose(closeCode ?? NORMAL, '');
    this.#socket.end(() => this.#socket.destroy());
    if (closeCode === undefined || closeCode === NORMAL) return;
    throw new WebSocketError('closed', reason === '' ? `it was closed with ${closeCode}` : reason, { closeCode });
  }

  async #sendClose(closeCode: number, reason: string): Promise<void> {
    if (this.#hasClosed || this.#socket.destroyed) return;
    this.#hasClosed = true;
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(closeCode);
    const words = truncateUtf8(reason, MOST_REASON_BYTES);
    // Who is gone already hears no goodbye.
    await this.#write(Opcode.close, Buffer.concat([payload, words])).catch(() => undefined);
  }

  async #send(opcode: Opcode, payload: Uint8Array): Promise<void> {
    if (this.#hasClosed) throw new WebSocketError('closed', 'it was closed on this side');
    await this.#write(opcode, payload);
  }

  async #write(opcode: Opcode, payload: Uint8Array): Promise<void> {
    const frame = encodeFrame(opcode, payload, this.#isServer ? undefined : randomBytes(4));
    const written = Promise.withResolvers<void>();
    this.#socket.write(frame, (error) => {
      if (error === null || error === undefined) return written.resolve();
      written.reject(new WebSocketError('connection', 'the connection was lost', { cause: error }));
    });
    await written.promise;
  }

  async #untilEnded(): Promise<void> {
    const ended = Promise.withResolvers<void>();
    const timer = setTimeout(ended.resolve, CLOSE_MS);
    this.#socket.once('close', ended.resolve).once('end', ended.resolve);
    // What still comes is of no interest any more; whoever iterates reads on, and ends with it.
    if (this.#socket.listenerCount('readable') === 0) this.#socket.resume();
    this.#socket.end();
    await ended.promise;
    clearTimeout(timer);
  }
}

/** As much of a text as fits, without half a character. */
function truncateUtf8(text: string, mostBytes: number): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= mostBytes) return bytes;
  let end = mostBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}
