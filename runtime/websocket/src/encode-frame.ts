/** The kinds of frames, as numbered by RFC 6455. */
export const Opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
export type Opcode = (typeof Opcode)[keyof typeof Opcode];

const FINAL = 0x80;
const MASKED = 0x80;
const SHORT = 125;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;

/** One whole frame; with a mask of four bytes where a client sends it. The payload is left as it is. */
export function encodeFrame(opcode: Opcode, payload: Uint8Array, mask?: Uint8Array): Buffer {
  const lengthBytes = payload.length <= SHORT ? 0 : payload.length <= 0xffff ? 2 : 8;
  const start = 2 + lengthBytes + (mask?.length ?? 0);
  const frame = Buffer.allocUnsafe(start + payload.length);
  frame[0] = FINAL | opcode;
  frame[1] = (mask === undefined ? 0 : MASKED) | shortLength(payload.length);
  if (lengthBytes === 2) frame.writeUInt16BE(payload.length, 2);
  if (lengthBytes === 8) frame.writeBigUInt64BE(BigInt(payload.length), 2);
  frame.set(payload, start);
  if (mask !== undefined) {
    frame.set(mask, 2 + lengthBytes);
    applyMask(frame.subarray(start), mask, 0);
  }
  return frame;
}

/** Masks the bytes in place, or takes the mask off; `offset` is where in the payload they begin. */
export function applyMask(bytes: Uint8Array, mask: Uint8Array, offset: number): void {
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = (bytes[index] ?? 0) ^ (mask[(offset + index) & 3] ?? 0);
  }
}

function shortLength(length: number): number {
  if (length <= SHORT) return length;
  return length <= 0xffff ? TWO_BYTES : EIGHT_BYTES;
}
