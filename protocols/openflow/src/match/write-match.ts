import { codeOf } from './field.ts';
import type { MatchField } from './match-field.ts';

const EXTENSIBLE_MATCH = 1;
const HEAD_BYTES = 4;

/** A match as it is sent, padded to eight bytes. */
export function encodeMatch(fields: readonly MatchField[]): Buffer {
  const entries = Buffer.concat(fields.map(encodeField));
  const length = HEAD_BYTES + entries.length;
  const bytes = Buffer.alloc(Math.ceil(length / 8) * 8);
  bytes.writeUInt16BE(EXTENSIBLE_MATCH, 0);
  bytes.writeUInt16BE(length, 2);
  bytes.set(entries, HEAD_BYTES);
  return bytes;
}

function encodeField({ field, value, mask }: MatchField): Buffer {
  const code = codeOf(field);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt16BE(code.class, 0);
  head.writeUInt8((code.number << 1) | (mask === undefined ? 0 : 1), 2);
  head.writeUInt8(field.bytes * (mask === undefined ? 1 : 2), 3);
  const parts = [head, bytesOf(value, field.bytes)];
  if (mask !== undefined) parts.push(bytesOf(mask, field.bytes));
  return Buffer.concat(parts);
}

function bytesOf(value: bigint, length: number): Buffer {
  return Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex');
}
