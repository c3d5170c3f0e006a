import { IdentityError } from '../identity-error.ts';

/** One value of a DER document. */
export interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  /** Tag, length and content. */
  readonly raw: Buffer;
}

/** Reads bytes that are exactly one value. */
export function readDer(bytes: Buffer): DerValue {
  const value = readAt(bytes, 0);
  if (value.raw.length !== bytes.length) throw malformed('trailing data');
  return value;
}

/** The values inside a sequence, a set or a tagged value. */
export function childrenOf({ content }: DerValue): readonly DerValue[] {
  const children: DerValue[] = [];
  for (let offset = 0; offset < content.length; offset += children.at(-1)?.raw.length ?? 0) {
    children.push(readAt(content, offset));
  }
  return children;
}

/** The value if it has this tag; anything else is an error that says what was expected. */
export function expectTag(value: DerValue | undefined, tag: number, what: string): DerValue {
  if (value === undefined) throw malformed(`${what} is missing`);
  if (value.tag !== tag) throw malformed(`${what} has the wrong type`);
  return value;
}

/** An object identifier in dotted form. */
export function readObjectIdentifier(value: DerValue): string {
  const [first = 0, ...rest] = value.content;
  const numbers = [Math.min(2, Math.floor(first / 40))];
  numbers.push(first - (numbers[0] ?? 0) * 40);
  let current = 0;
  for (const byte of rest) {
    current = current * 128 + (byte % 128);
    if (current > Number.MAX_SAFE_INTEGER / 128) throw malformed('an object identifier is too large');
    if (byte >= 128) continue;
    numbers.push(current);
    current = 0;
  }
  return numbers.join('.');
}

/** The bytes of a bit string whose bits are whole bytes. */
export function readBitString(value: DerValue): Buffer {
  if (value.content[0] !== 0) throw malformed('a bit string is not a whole number of bytes');
  return value.content.subarray(1);
}

function readAt(bytes: Buffer, offset: number): DerValue {
  const tag = bytes[offset];
  const first = bytes[offset + 1];
  if (tag === undefined || first === undefined) throw malformed('it ends too early');
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  if (first === 0x80 || lengthBytes > 4) throw malformed('a length is not allowed');
  let length = lengthBytes === 0 ? first : 0;
  for (const byte of bytes.subarray(offset + 2, offset + 2 + lengthBytes)) length = length * 256 + byte;
  const start = offset + 2 + lengthBytes;
  if (start + length > bytes.length) throw malformed('it ends too early');
  return { tag, content: bytes.subarray(start, start + length), raw: bytes.subarray(offset, start + length) };
}

function malformed(why: string): IdentityError {
  return new IdentityError('invalid-certificate-request', `malformed DER: ${why}`);
}
