import { applyMask, Opcode } from './encode-frame.ts';
import { WebSocketError } from './web-socket-error.ts';

/** What a reader makes of frames. Data comes in the parts in which it arrived; `end` is behind the last part of a message. */
export type FramePart =
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }
  | { readonly kind: 'ping' | 'pong'; readonly payload: Uint8Array }
  | { readonly kind: 'close'; readonly closeCode: number | undefined; readonly reason: string };

interface Frame {
  readonly opcode: number;
  readonly length: number;
  readonly mask: Uint8Array | undefined;
  /** How much of the payload has come. */
  taken: number;
  /** The payload of a control frame so far. */
  readonly kept: Uint8Array[];
}

const MOST_HEADER_BYTES = 14;
const MOST_CONTROL_BYTES = 125;
const MASK_BYTES = 4;

/** Reads frames from bytes that come in any parts. It keeps a header and the payload of one control frame at most. */
export class FrameReader {
  /** Whether the sender has to mask its frames, as clients have. */
  readonly #isMasked: boolean;
  readonly #header: number[] = [];
  #frame: Frame | undefined;
  #isInMessage = false;

  constructor(isMasked: boolean) {
    this.#isMasked = isMasked;
  }

  /** What these bytes complete. Throws `protocol` for what is no frame; nothing can be read after that. */
  *push(chunk: Uint8Array): Generator<FramePart> {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#frame === undefined) {
        this.#header.push(rest[0] ?? 0);
        rest = rest.subarray(1);
        this.#frame = this.#readHeader();
        if (this.#frame === undefined || this.#frame.length > 0) continue;
      }
      const frame = this.#frame;
      const part = rest.subarray(0, frame.length - frame.taken);
      rest = rest.subarray(part.length);
      yield* this.#take(frame, part);
    }
  }

  *#take(frame: Frame, given: Uint8Array): Generator<FramePart> {
    // What the socket handed out is not ours to change.
    const part = frame.mask === undefined ? given : new Uint8Array(given);
    if (frame.mask !== undefined) applyMask(part, frame.mask, frame.taken);
    frame.taken += part.length;
    const isControl = frame.opcode >= Opcode.close;
    if (isControl) frame.kept.push(part);
    else if (part.length > 0) yield { kind: 'data', bytes: part };
    if (frame.taken < frame.length) return;
    this.#frame = undefined;
    if (isControl) yield controlPart(frame.opcode, Buffer.concat(frame.kept));
    else if (!this.#isInMessage) yield { kind: 'end' };
  }

  #readHeader(): Frame | undefined {
    const [first = 0, second] = this.#header;
    if (second === undefined) return undefined;
    const short = second & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const isMasked = (second & 0x80) !== 0;
    if (isMasked !== this.#isMasked) throw broken(isMasked ? 'a server must not mask' : 'a client has to mask');
    const opcode = this.#checkedOpcode(first, short);
    const start = 2 + lengthBytes;
    const size = start + (isMasked ? MASK_BYTES : 0);
    if (this.#header.length < size) return undefined;
    const header = Buffer.from(this.#header.splice(0, MOST_HEADER_BYTES));
    const length = lengthBytes === 0 ? short : readLength(header.subarray(2, start));
    this.#follow(first, opcode);
    return { opcode, length, mask: isMasked ? header.subarray(start, size) : undefined, taken: 0, kept: [] };
  }

  #checkedOpcode(first: number, shortLength: number): number {
    const opcode = first & 0x0f;
    const isFinal = (first & 0x80) !== 0;
    if ((first & 0x70) !== 0) throw broken('extensions that were not agreed on');
    if (opcode >= Opcode.close) {
      if (opcode > Opcode.pong) throw broken(`there is no opcode ${opcode}`);
      if (!isFinal || shortLength > MOST_CONTROL_BYTES) throw broken('a control frame in parts, or too long');
      return opcode;
    }
    if (opcode > Opcode.binary) throw broken(`there is no opcode ${opcode}`);
    if ((opcode === Opcode.continuation) !== this.#isInMessage) throw broken('parts of messages out of order');
    return opcode;
  }

  #follow(first: number, opcode: number): void {
    if (opcode < Opcode.close) this.#isInMessage = (first & 0x80) === 0;
  }
}

function readLength(bytes: Buffer): number {
  const length = bytes.length === 2 ? bytes.readUInt16BE() : Number(bytes.readBigUInt64BE());
  if (!Number.isSafeInteger(length)) throw broken('a frame longer than anything');
  return length;
}

function controlPart(opcode: number, payload: Buffer): FramePart {
  if (opcode === Opcode.ping) return { kind: 'ping', payload };
  if (opcode === Opcode.pong) return { kind: 'pong', payload };
  if (payload.length === 1) throw broken('half a code to close with');
  const closeCode = payload.length === 0 ? undefined : payload.readUInt16BE();
  return { kind: 'close', closeCode, reason: payload.subarray(2).toString('utf8') };
}

function broken(why: string): WebSocketError {
  return new WebSocketError('protocol', `what came is no WebSocket frame: ${why}`);
}
